import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Writes what others may know about this process for as long as it runs; replaces an earlier note.
 *
 * @param folder - for notes of one kind; created if missing
 * @returns removes the note
 */
export function writeNote(folder: string, pid: number, content: object): () => void {
  const file = join(folder, `${pid}.json`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(`${file}.draft`, JSON.stringify(content), { mode: 0o600 });
  renameSync(`${file}.draft`, file);
  return () => rmSync(file, { force: true });
}

/**
 * The notes of running processes. Notes of processes that were killed are removed.
 *
 * @param parse - `undefined` for a note that is not understood
 * @param isRunning - whether the process that wrote the note still runs
 */
export function readNotes<Note>(
  folder: string,
  parse: (content: Readonly<Record<string, unknown>>) => Note | undefined,
  isRunning: (note: Note) => boolean,
): readonly Note[] {
  return filesIn(folder).flatMap((file) => {
    const note = noteIn(file, parse);
    if (note === undefined) return [];
    if (isRunning(note)) return [note];
    rmSync(file, { force: true });
    return [];
  });
}

function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => /^\d+\.json$/.test(name))
      .map((name) => join(folder, name));
  } catch {
    return [];
  }
}

function noteIn<Note>(
  file: string,
  parse: (content: Readonly<Record<string, unknown>>) => Note | undefined,
): Note | undefined {
  try {
    return parse(JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, unknown>>);
  } catch {
    return undefined;
  }
}

/** Whether a process has this number; another one than before may have it by now. */
export function isProcess(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
