import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isProcess, readNotes, writeNote } from './process-notes.js';

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
  return writeNote(join(folder, 'running'), guard.pid, guard);
}

/** The guards that run now. Notes of those that were killed are removed. */
export function runningGuards(folder: string): readonly RunningGuard[] {
  return readNotes(
    join(folder, 'running'),
    ({ server, pid, parent }) =>
      typeof server === 'string' && typeof pid === 'number' && typeof parent === 'number'
        ? { server, pid, parent }
        : undefined,
    // Another process may have the number by now. Where the system tells whose child it is, that has to be right, too.
    ({ pid, parent }) => (process.platform === 'linux' ? parentOf(pid) === parent : isProcess(pid)),
  );
}
