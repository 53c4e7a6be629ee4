import { readFile } from 'node:fs/promises';
import type { Usage } from './usage.js';

/**
 * Processor time of a process that is not ours; absent if the system does not tell. Linux counts it in hundredths of a
 * second; enough for a round that takes a second.
 */
export async function processorTime(pid: number): Promise<Pick<Usage, 'cpu'> | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  // The second field is the name in brackets, which may have spaces in it.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (fields === undefined) return undefined;
  return { cpu: (Number(fields[11]) + Number(fields[12])) * 10_000 };
}
