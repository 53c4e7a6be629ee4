import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { appended } from '../../testing/index.js';
import { sample } from '../../testing/sample.js';
import type { LocalJournal } from '../local-journal.js';
import type { LocalJournalOptions } from '../open-local-journal.js';
import { opened } from './open.js';
import { isLasting } from './temporary-folder.js';

/** Appends a number of one-record batches to three streams in turn: m-0, m-1 and so on. */
export async function fill(journal: LocalJournal, count: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    const stream = `main/proposal/${index % 3}`;
    appended(await journal.append(stream, Math.floor(index / 3), [sample(`m-${index}`)]));
  }
}

/** Fills a journal in a folder and closes it. */
export async function filled(
  folder: string,
  count: number,
  options: LocalJournalOptions = {},
): Promise<void> {
  const journal = await opened(folder, options);
  await fill(journal, count);
  await journal.close();
}

/** A copy of an open journal's folder: what is left if its process dies at this moment. */
export async function copyAlive(folder: string, parent: string): Promise<string> {
  const copy = join(parent, 'copy');
  await cp(folder, copy, { recursive: true, filter: isLasting });
  return copy;
}
