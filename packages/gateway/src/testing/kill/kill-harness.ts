import type { StoredOperation } from '../../delivery/batch.js';
import { openJournal, temporaryFolder } from '../folder.js';
import { until } from '../metrics.js';
import { createRandom } from '../random.js';
import type { OperationsHistory } from './check-operations.js';
import { type Child, startChild } from './child.js';
import { createLoad, LOAD_YAML } from './load.js';

/** What is left after a gateway was killed again and again under load. */
export interface Aftermath {
  readonly history: OperationsHistory;
  /** What is wrong with the journal itself. */
  readonly faults: readonly unknown[];
}

/**
 * Runs a gateway on a local journal in a process of its own, with two proposers, two reviewers that race
 * for every proposal, and an executor; kills it so many times at random moments, and starts it again on
 * the same folder and port. Then lets everything come to rest.
 */
export async function killAgainAndAgain(kills: number, seed: number): Promise<Aftermath> {
  const random = createRandom(seed);
  await using folder = await temporaryFolder();
  const start = (port?: number): Promise<Child> =>
    startChild({
      folder: folder.path,
      yaml: LOAD_YAML,
      ...(port === undefined ? {} : { port }),
    });
  let child = await start();
  const { port, ws } = child;
  const load = createLoad({ url: ws, random });
  try {
    await load.begin();
    for (let count = 0; count < kills; count++) {
      const goal = load.delivered() + Math.floor(random() * 400);
      await until(() => load.delivered() >= goal);
      await child.kill();
      child = await start(port);
    }
    await load.rest();
    const exited = new Promise((resolve) => child.process.once('exit', resolve));
    child.process.kill('SIGTERM');
    await exited;
  } finally {
    load.stop();
    await child.kill();
  }
  const journal = await openJournal(folder.path);
  const records: StoredOperation[] = [];
  for await (const record of journal.feed('main', 0, { follow: false }))
    records.push(record as StoredOperation);
  const { faults } = await journal.verify();
  await journal.close();
  return { history: load.history(records), faults };
}
