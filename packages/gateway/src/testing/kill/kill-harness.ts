import type { StoredOperation } from '../../delivery/batch.js';
import { until } from '../metrics.js';
import { createRandom } from '../random.js';
import type { OperationsHistory } from './check-operations.js';
import type { StartFleet } from './fleet.js';
import { createLoad, LOAD_YAML } from './load.js';

/** The result of killing a gateway repeatedly under load. */
export interface Aftermath {
  readonly history: OperationsHistory;
  /** Problems of the journal itself. */
  readonly faults: readonly unknown[];
}

/**
 * Two proposers, two reviewers that race for every proposal, and an executor, on gateways of which one is
 * killed repeatedly at random moments and restarted. Then everything comes to rest.
 */
export async function killAgainAndAgain(kills: number, seed: number, start: StartFleet): Promise<Aftermath> {
  const random = createRandom(seed);
  await using fleet = await start(LOAD_YAML);
  // While one starts, the others continue: it must be able to catch up.
  const load = createLoad({ url: fleet.ws, random, pause: fleet.ws.length > 1 ? 200 : 0 });
  try {
    await load.begin();
    for (let count = 0; count < kills; count++) {
      const goal = load.delivered() + Math.floor(random() * 400);
      await until(() => load.delivered() >= goal);
      await fleet.killOne(random);
    }
    await load.rest();
    await fleet.end();
  } finally {
    load.stop();
  }
  return await fleet.read(async (journal) => {
    const records: StoredOperation[] = [];
    for await (const record of journal.feed('main', 0, { follow: false }))
      records.push(record as StoredOperation);
    const { faults } = await journal.verify();
    return { history: load.history(records), faults };
  });
}
