import { NEGOTIATION_SPACE } from '@proffer/core/negotiation';
import type { AcceptedRecord } from '../../negotiation/index.js';
import { until } from '../metrics.js';
import { createRandom } from '../random.js';
import type { SessionsHistory } from './check-sessions.js';
import type { StartFleet } from './fleet.js';
import { createSessionLoad } from './session-load.js';

export interface SessionAftermath {
  readonly history: SessionsHistory;
  readonly faults: readonly unknown[];
}

/** Parties that negotiate on gateways of which one is killed repeatedly at random moments and restarted. */
export async function killDuringSessions(
  kills: number,
  seed: number,
  start: StartFleet,
): Promise<SessionAftermath> {
  const random = createRandom(seed);
  await using fleet = await start();
  const load = createSessionLoad({ urls: fleet.http, random, atOnce: 6 });
  try {
    load.begin();
    for (let count = 0; count < kills; count++) {
      const goal = load.answered() + Math.floor(random() * 60);
      await until(() => load.answered() >= goal);
      await fleet.killOne(random);
    }
    await load.rest();
    await fleet.end();
  } finally {
    load.stop();
  }
  return await fleet.read(async (journal) => {
    const records: AcceptedRecord[] = [];
    for await (const record of journal.feed(NEGOTIATION_SPACE, 0, { follow: false }))
      records.push(record as AcceptedRecord);
    const { faults } = await journal.verify();
    return { history: load.history(records), faults };
  });
}
