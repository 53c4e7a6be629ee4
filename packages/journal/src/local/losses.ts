import { join } from 'node:path';
import type { JsonObject } from '@proffer/core/json';
import type { AcceptedLoss } from '../journal.js';
import { type Disk, readWhole, writeWhole } from './files/index.js';

/** The file of accepted losses, one per line. */
export function lossesPath(folder: string): string {
  return join(folder, 'losses.jsonl');
}

/** The losses accepted so far, oldest first. */
export async function readLosses(folder: string): Promise<readonly AcceptedLoss[]> {
  const lines = (await readText(folder)).split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as AcceptedLoss);
}

/** Records one more. */
export async function writeLoss(disk: Disk, folder: string, loss: AcceptedLoss): Promise<void> {
  const line = `${JSON.stringify(loss satisfies JsonObject)}\n`;
  await writeWhole(disk, lossesPath(folder), [Buffer.from(await readText(folder)), Buffer.from(line)]);
}

async function readText(folder: string): Promise<string> {
  try {
    return (await readWhole(lossesPath(folder))).toString();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}
