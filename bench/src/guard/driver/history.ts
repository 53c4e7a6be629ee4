import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connect } from '@proffer/client';
import { READS, WRITES } from '../servers/tools.js';
import { guardIn, start } from './started.js';

/** Concurrent calls. */
const AT_ONCE = 100;

/**
 * Fills the guards' folder with calls that were held, approved and answered, and as many that were allowed.
 */
export async function makeHistory(folder: string, calls: number): Promise<void> {
  await using guard = await start(guardIn(folder, '--hold', '1h'));
  await guard.call();
  const written = async (name: string): Promise<string> =>
    (await readFile(join(folder, name), 'utf8')).trim();
  const url = `http://127.0.0.1:${await written('port')}`;
  await using reviewer = await connect({ url, space: 'main', token: await written('reviewer.token') });
  reviewer.onProposal(({ fulfil }) => void fulfil().catch(() => {}));
  for (let made = 0; made < calls; made += AT_ONCE) {
    const some = Array.from({ length: Math.min(AT_ONCE, calls - made) }, (_, index) => made + index);
    await Promise.all(
      some.flatMap((index) => [
        guard.client.call(WRITES, { path: `/notes/${index}.txt`, content: 'x'.repeat(200) }),
        guard.client.call(READS, { path: `/notes/${index}.txt` }),
      ]),
    );
  }
}
