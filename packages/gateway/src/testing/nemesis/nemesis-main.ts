import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { NEGOTIATION_SPACE } from '@proffer/core/negotiation';
import { openNatsJournal } from '@proffer/journal/nats';
import type { StoredOperation } from '../../delivery/batch.js';
import type { AcceptedRecord } from '../../negotiation/index.js';
import { createLoad } from '../kill/load.js';
import { createSessionLoad } from '../kill/session-load.js';
import { until } from '../metrics.js';
import { createRandom } from '../random.js';
import { describeLab } from './describe-lab.js';
import { checkHistory, type NemesisHistory } from './history.js';
import { type Lab, startLab } from './lab.js';
import { within } from './patience.js';
import { makeTrouble } from './trouble.js';

/** `nemesis-main ORDER`: runs gateways and servers under load, makes trouble, and writes down what everybody was told. */
export interface Order {
  readonly gateways: number;
  readonly seconds: number;
  readonly seed: number;
  readonly sync: boolean;
  readonly isIsolated: boolean;
  /** Where everything is kept. Whoever gives it removes it when the process, and with it what it mounted, is gone. */
  readonly folder: string;
  /** The file that runs a gateway. */
  readonly program: string;
  /** Where the history goes; beside it, what each process said last. */
  readonly output: string;
}

/** How long everything has to start, and to come to rest after the last fault, in seconds. */
const START = 120;
const REST = 240;

const order = JSON.parse(process.argv[2] ?? '') as Order;
try {
  await writeFile(order.output, JSON.stringify(await run(order)));
} catch (error) {
  process.exitCode = 1;
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
}
process.exit();

async function run({ seconds, seed, sync, ...rest }: Order): Promise<NemesisHistory> {
  const begun = performance.now();
  const tell = (line: string): void =>
    void process.stderr.write(`${((performance.now() - begun) / 1_000).toFixed(1)} s: ${line}\n`);
  const faults: string[] = [];
  const lab = await startLab({ ...rest, sync });
  const random = createRandom(seed + 2);
  const url = lab.addresses.map((one) => `ws://${one}/ws`);
  const load = createLoad({ url, random, pause: 100, isVaried: true });
  const urls = lab.addresses.map((one) => `http://${one}`);
  const sessions = createSessionLoad({ urls, random, atOnce: 3, shortLived: 0.3 });
  const describe = async (): Promise<string> =>
    [...load.describe(), ...sessions.describe(), await describeLab(lab)].join('\n');
  try {
    await within(START, 'Connecting', { doing: load.begin(), describe });
    sessions.begin();
    tell('the load runs');
    const doing = makeTrouble(lab, {
      seconds,
      seed,
      sync,
      tell(line) {
        faults.push(line);
        tell(line);
      },
    });
    await within(seconds + START, 'Making trouble', { doing, describe });
    tell('nothing fails any more');
    await within(REST, 'Starting again', { doing: until(() => isWhole(lab)), describe });
    await within(REST, 'Coming to rest', { doing: Promise.all([load.rest(), sessions.rest()]), describe });
    tell('everything is at rest');
    return await within(REST, 'Reading the journal', { doing: read(), describe });
  } catch (error) {
    const known = await within(START, 'Reading the journal', { doing: read(), describe });
    await writeFile(rest.output, JSON.stringify(known));
    const wrong = checkHistory(known).join('\n');
    throw new Error(`${String(error)}\nAs far as it is known by then:\n${wrong}`, { cause: error });
  } finally {
    for (const { name, said } of [...lab.servers, ...lab.gateways])
      await writeFile(join(dirname(rest.output), `${name}.log`), said);
    load.stop();
    sessions.stop();
    lab.stop();
  }

  async function read(): Promise<NemesisHistory> {
    const opened = await openNatsJournal({ servers: lab.urls, stream: lab.stream });
    if (!opened.ok) throw new Error(opened.refusal.message);
    const journal = opened.value;
    const operations: StoredOperation[] = [];
    for await (const record of journal.feed('main', 0, { follow: false }))
      operations.push(record as StoredOperation);
    const negotiations: AcceptedRecord[] = [];
    for await (const record of journal.feed(NEGOTIATION_SPACE, 0, { follow: false }))
      negotiations.push(record as AcceptedRecord);
    const { faults: damage } = await journal.verify();
    await journal.close();
    return {
      faults,
      operations: load.history(operations),
      sessions: sessions.history(negotiations),
      damage,
      crashes: lab.gateways.flatMap(({ crashes }) => crashes),
    };
  }
}

function isWhole({ servers, gateways }: Lab): boolean {
  return [...servers, ...gateways].every(({ isReady }) => isReady);
}
