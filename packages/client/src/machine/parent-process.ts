// Imported by hook commands, whose start-up time every call pays: it imports none of our modules.
import { readFileSync } from 'node:fs';

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
