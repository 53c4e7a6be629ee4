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

/** A gateway that a process on this machine runs, or asks in. */
export interface NotedGateway {
  readonly url: string;
  /** The spaces that the process knows. */
  readonly spaces: readonly string[];
  /** A folder with the credentials of guards that have a gateway of their own. */
  readonly folder?: string;
}

/**
 * Notes a gateway for as long as this process runs, so that whoever looks at the inbox learns of it. Holds no token.
 *
 * @param folder - the guards' folder, which every command of this user knows
 * @returns forgets it
 */
export function noteGateway(folder: string, gateway: NotedGateway): () => void {
  try {
    return writeNote(join(folder, 'gateways'), process.pid, { ...gateway, pid: process.pid });
  } catch {
    // A user without a home folder still runs a gateway; the inbox then has to be told where it is.
    return () => {};
  }
}

/** The gateways that running processes of this machine have noted. Whether one answers is not known. */
export function notedGateways(folder: string): readonly NotedGateway[] {
  return readNotes(
    join(folder, 'gateways'),
    ({ url, spaces, folder: own, pid }) => {
      if (typeof url !== 'string' || typeof pid !== 'number' || !isTexts(spaces)) return undefined;
      return { url, spaces, pid, ...(typeof own === 'string' ? { folder: own } : {}) };
    },
    ({ pid }) => isProcess(pid),
  );
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

// Imported by hook commands, whose start-up time every call pays: it imports none of our modules.

/** The process that started another; `undefined` if the system does not tell, or there is no such process. Linux only. */
export function parentOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // After the program's name, which may contain anything: the state, and the parent.
    return Number(
      stat
        .slice(stat.lastIndexOf(')') + 2)
        .split(' ')
        .at(1),
    );
  } catch {
    return undefined;
  }
}

/** A guard on this machine. */
export interface RunningGuard {
  /** The name of the guard as a participant. */
  readonly name: string;
  /**
   * The name that the server behind it has in the settings of the client; only if it asks in the gateway that this machine's
   * guards and hooks share, and serves that client alone.
   */
  readonly server?: string;
  /** The gateway where it asks, if it is not that one. */
  readonly gateway?: string;
  readonly pid: number;
  /** The process that started it: the client of the server, if it has only one. */
  readonly parent: number;
}

/**
 * Notes a guard for as long as it runs, for people who look what runs here, and so that the hook of the same client need not
 * ask about its calls, too.
 *
 * @param folder - the guards' folder
 * @returns forgets it
 */
export function noteGuard(folder: string, guard: RunningGuard): () => void {
  return writeNote(join(folder, 'running'), guard.pid, guard);
}

/** The guards that run now. Notes of those that were killed are removed. */
export function runningGuards(folder: string): readonly RunningGuard[] {
  return readNotes(
    join(folder, 'running'),
    ({ server, gateway, pid, parent, name = server }) => {
      if (typeof name !== 'string' || typeof pid !== 'number' || typeof parent !== 'number') return undefined;
      return {
        name,
        ...(typeof server === 'string' ? { server } : {}),
        ...(typeof gateway === 'string' ? { gateway } : {}),
        pid,
        parent,
      };
    },
    // Another process may have the number by now. Where the system tells whose child it is, that has to be right, too: hooks
    // rely on it. A guard without a client survives the shell that started it.
    ({ server, pid, parent }) =>
      server !== undefined && process.platform === 'linux' ? parentOf(pid) === parent : isProcess(pid),
  );
}
