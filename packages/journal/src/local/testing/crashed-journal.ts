import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { appended, sample } from '../../testing/index.js';
import { progressPath, segmentPath } from '../segments/index.js';
import { opened } from './open.js';
import { isLasting } from './temporary-folder.js';

/** A copy of a journal while it is open, as a crash leaves it. */
export async function crashedJournal(temporaryFolder: () => Promise<string>, ...said: readonly string[]) {
  const folder = join(await temporaryFolder(), 'copy');
  const original = await temporaryFolder();
  const journal = await opened(original);
  let before = Buffer.alloc(0);
  for (const [version, text] of said.entries()) {
    before = await readFile(progressPath(original));
    appended(await journal.append('main/proposal/1', version, [sample(text)]));
  }
  await cp(original, folder, { recursive: true, filter: isLasting });
  await journal.close();
  const file = segmentPath(folder, { number: 1, generation: 0 });
  const bytes = await readFile(file);
  const offset = bytes.lastIndexOf('{"frame":"batch"');
  const end = bytes.findLastIndex((byte) => byte !== 0) + 1;
  return { folder, file, bytes, offset, end, before };
}
