import { readFile } from 'node:fs/promises';
import type { Usage } from './usage.js';

/**
 * CPU time of another process; absent if the system does not report it. Linux counts in hundredths of a
 * second, enough for a round of a second.
 */
export async function processorTime(pid: number): Promise<Pick<Usage, 'cpu'> | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  // The second field is the program name in parentheses and may contain spaces.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (fields === undefined) return undefined;
  return { cpu: (Number(fields[11]) + Number(fields[12])) * 10_000 };
}
