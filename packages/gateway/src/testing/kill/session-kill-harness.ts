import { NEGOTIATION_SPACE } from '@proffer/core/negotiation';
import type { AcceptedRecord } from '../../negotiation/index.js';
import { openJournal, temporaryFolder } from '../folder.js';
import { until } from '../metrics.js';
import { createRandom } from '../random.js';
import type { SessionsHistory } from './check-sessions.js';
import { type Child, startChild } from './child.js';
import { createSessionLoad } from './session-load.js';

export interface SessionAftermath {
  readonly history: SessionsHistory;
  readonly faults: readonly unknown[];
}

/**
 * Runs a gateway on a local journal in a process of its own, with parties that negotiate. Kills it so many times at
 * random moments, and starts it again on the same folder and port.
 */
export async function killDuringSessions(kills: number, seed: number): Promise<SessionAftermath> {
  const random = createRandom(seed);
  await using folder = await temporaryFolder();
  const start = (port = 0): Promise<Child> => startChild({ folder: folder.path, port });
  let child = await start();
  const { http, port } = child;
  const load = createSessionLoad({ urls: [http], random, atOnce: 6 });
  try {
    load.begin();
    for (let count = 0; count < kills; count++) {
      const goal = load.answered() + Math.floor(random() * 60);
      await until(() => load.answered() >= goal);
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
  const records: AcceptedRecord[] = [];
  for await (const record of journal.feed(NEGOTIATION_SPACE, 0, { follow: false })) {
    records.push(record as AcceptedRecord);
  }
  const { faults } = await journal.verify();
  await journal.close();
  return { history: load.history(records), faults };
}
