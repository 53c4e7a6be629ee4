import { openNatsJournal } from '@proffer/journal/nats';
import type { StoredOperation } from '../../delivery/batch.js';
import type { Aftermath } from '../kill/kill-harness.js';
import { createLoad, LOAD_YAML } from '../kill/load.js';
import { createRandom } from '../random.js';
import { startMachines } from './machines.js';
import { makeTrouble } from './nemesis.js';

export interface NemesisOptions {
  readonly gateways: number;
  readonly seconds: number;
  readonly seed: number;
}

/**
 * Runs gateways on three NATS servers under load, and makes trouble for a while: kills, stops, a lost quorum. Then lets
 * everything come to rest.
 */
export async function runNemesis(
  { gateways, seconds, seed }: NemesisOptions,
  tell: (done: string) => void = () => {},
): Promise<Aftermath> {
  const random = createRandom(seed);
  await using machines = await startMachines({ gateways, yaml: LOAD_YAML });
  const load = createLoad(machines.addresses, random);
  try {
    await load.begin();
    for (const done of await makeTrouble(machines, { seconds, random })) tell(done);
    await load.rest();
    const { urls, stream } = machines;
    const opened = await openNatsJournal({ servers: urls, stream });
    if (!opened.ok) throw new Error(opened.refusal.message);
    const journal = opened.value;
    const records: StoredOperation[] = [];
    for await (const record of journal.feed('main', 0, { follow: false }))
      records.push(record as StoredOperation);
    const { faults } = await journal.verify();
    await journal.close();
    return { ...load, records, faults };
  } finally {
    load.stop();
  }
}
