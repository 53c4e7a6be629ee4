import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { NEGOTIATION_SPACE } from '@proffer/core/negotiation';
import { openNatsJournal } from '@proffer/journal/nats';
import { TEST_ACCESS } from '@proffer/journal/testing/nats-servers';
import type { StoredOperation } from '../../delivery/batch.js';
import type { AcceptedRecord } from '../../negotiation/index.js';
import { createLoad } from '../kill/load.js';
import { createSessionLoad } from '../kill/session-load.js';
import { createStreamLoad } from '../kill/stream-load.js';
import { until } from '../metrics.js';
import { createRandom } from '../random.js';
import { describeLab } from './describe-lab.js';
import { checkHistory, type NemesisHistory } from './history.js';
import { type Lab, startLab } from './lab.js';
import { within } from './patience.js';
import { makeTrouble } from './trouble.js';

/**
 * `nemesis-main ORDER`: runs gateways and servers under load, injects faults, and records what everyone was
 * told.
 */
export interface Order {
  readonly gateways: number;
  readonly seconds: number;
  readonly seed: number;
  readonly sync: boolean;
  /** Whether the load leaves most of the CPU to others. Default: false. */
  readonly isLight?: boolean | undefined;
  /** Faults continue until this much was started, even if that takes longer (within limits). */
  readonly least?: Amount | undefined;
  readonly isIsolated: boolean;
  /** The folder for everything. The caller removes it when the process, and with it its mounts, is gone. */
  readonly folder: string;
  /** The program that runs a gateway. */
  readonly program: string;
  /** Where the history is written; next to it, the latest output of each process. */
  readonly output: string;
}

/** How much clients did. */
export interface Amount {
  readonly proposals: number;
  readonly sessions: number;
  readonly streams: number;
}

/** If too little was done, faults continue for this many seconds, at most this many times. */
const MORE = 10;
const MAX_MORE = 6;

/** Timeouts for starting, and for coming to rest after the last fault, in seconds. */
const START = 120;
const REST = 240;

/** The load on the gateways. Pauses are maximums, in milliseconds. */
const LOADS = {
  full: {
    operations: { open: 16, pause: 100 },
    sessions: { atOnce: 3, pause: 0 },
    streams: { pause: 50 },
  },
  light: {
    operations: { open: 12, pause: 500 },
    sessions: { atOnce: 5, pause: 1_000 },
    streams: { pause: 200 },
  },
};

const order = JSON.parse(process.argv[2] ?? '') as Order;
try {
  await writeFile(order.output, JSON.stringify(await run(order)));
} catch (error) {
  process.exitCode = 1;
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
}
process.exit();

async function run({ seconds, seed, sync, isLight = false, least, ...rest }: Order): Promise<NemesisHistory> {
  const begun = performance.now();
  const tell = (line: string): void =>
    void process.stderr.write(`${((performance.now() - begun) / 1_000).toFixed(1)} s: ${line}\n`);
  const faults: string[] = [];
  const lab = await startLab({ ...rest, sync });
  const random = createRandom(seed + 2);
  const url = lab.addresses.map((one) => `ws://${one}/ws`);
  const amount = isLight ? LOADS.light : LOADS.full;
  const load = createLoad({ url, random, isVaried: true, ...amount.operations });
  const urls = lab.addresses.map((one) => `http://${one}`);
  const sessions = createSessionLoad({ urls, random, shortLived: 0.3, ...amount.sessions });
  // A separate generator: the draws of the others stay as in the recorded runs.
  const mew = { urls: lab.addresses.map((one) => `ws://${one}`), random: createRandom(seed + 4) };
  const streams = createStreamLoad({ ...mew, ...amount.streams });
  const loads = [load, sessions, streams];
  const describe = async (): Promise<string> =>
    [...loads.flatMap((one) => one.describe()), await describeLab(lab)].join('\n');
  try {
    const connecting = Promise.all([load.begin(), streams.begin()]);
    await within(START, 'Connecting', { doing: connecting, describe });
    sessions.begin();
    tell('the load runs');
    await within(seconds + START, 'Making trouble', { doing: makeAll(), describe });
    tell('nothing fails any more');
    await within(REST, 'Starting again', { doing: until(() => isWhole(lab)), describe });
    const resting = Promise.all(loads.map((one) => one.rest()));
    await within(REST, 'Coming to rest', { doing: resting, describe });
    tell('everything is at rest');
    return await within(REST, 'Reading the journal', { doing: read(), describe });
  } catch (error) {
    throw new Error(`${String(error)}\nAs far as it is known by then:\n${await examine()}`, { cause: error });
  } finally {
    for (const { name, said } of [...lab.servers, ...lab.gateways])
      await writeFile(join(dirname(rest.output), `${name}.log`), said);
    for (const one of loads) one.stop();
    lab.stop();
  }

  /** What is wrong in a run that did not end as it should. */
  async function examine(): Promise<string> {
    try {
      const known = await within(START, 'Reading the journal', { doing: read(), describe });
      await writeFile(rest.output, JSON.stringify(known));
      return checkHistory(known).join('\n');
    } catch (error) {
      return String(error);
    }
  }

  async function makeAll(): Promise<void> {
    const note = (line: string): void => {
      faults.push(line);
      tell(line);
    };
    await makeTrouble(lab, { seconds, seed, sync, tell: note });
    // A machine under other load is slower.
    for (let more = 1; more <= MAX_MORE && !isEnough(); more++)
      await makeTrouble(lab, { seconds: MORE, seed: seed + more * 10, sync, tell: note });
  }

  function isEnough(): boolean {
    if (least === undefined) return true;
    return (
      load.begun() >= least.proposals &&
      sessions.begun() >= least.sessions &&
      streams.begun() >= least.streams
    );
  }

  async function read(): Promise<NemesisHistory> {
    const opened = await openNatsJournal({ ...TEST_ACCESS, servers: lab.urls, stream: lab.stream });
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
      streams: streams.history(),
      damage,
      crashes: lab.gateways.flatMap(({ crashes }) => crashes),
    };
  }
}

function isWhole({ servers, gateways }: Lab): boolean {
  return [...servers, ...gateways].every(({ isReady }) => isReady);
}
