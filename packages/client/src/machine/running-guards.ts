import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A guard that asks in the gateway that this machine's guards and hooks share. */
export interface RunningGuard {
  /** The name that the server behind it has in the settings of the client. */
  readonly server: string;
  readonly pid: number;
  /** The process that started it: the client of the server. */
  readonly parent: number;
}

/**
 * Notes a guard for as long as it runs, so that the hook of the same client need not ask about its calls, too.
 *
 * @param folder - the guards' folder
 * @returns forgets it
 */
export function noteGuard(folder: string, guard: RunningGuard): () => void {
  const file = join(notesIn(folder), `${guard.pid}.json`);
  mkdirSync(notesIn(folder), { recursive: true, mode: 0o700 });
  writeFileSync(`${file}.draft`, JSON.stringify(guard), { mode: 0o600 });
  renameSync(`${file}.draft`, file);
  return () => rmSync(file, { force: true });
}

/** The guards that run now. Notes of those that were killed are removed. */
export function runningGuards(folder: string): readonly RunningGuard[] {
  return filesIn(notesIn(folder)).flatMap((file) => {
    const guard = guardIn(file);
    if (guard === undefined) return [];
    if (isRunning(guard)) return [guard];
    rmSync(file, { force: true });
    return [];
  });
}

function notesIn(folder: string): string {
  return join(folder, 'running');
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

function guardIn(file: string): RunningGuard | undefined {
  try {
    const { server, pid, parent } = JSON.parse(readFileSync(file, 'utf8')) as Partial<RunningGuard>;
    const isWhole = typeof server === 'string' && typeof pid === 'number' && typeof parent === 'number';
    return isWhole ? { server, pid, parent } : undefined;
  } catch {
    return undefined;
  }
}

/** Another process may have the number by now. Where the system tells whose child it is, that has to be right, too. */
function isRunning({ pid, parent }: RunningGuard): boolean {
  if (process.platform === 'linux') return parentOf(pid) === parent;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function parentOf(pid: number): number | undefined {
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
