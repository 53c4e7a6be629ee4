import { randomUUID } from 'node:crypto';
import type { Benchmark, Measurement } from '../benchmark.js';
import { temporaryFolder } from '../cleanup.js';
import { compareWithFirst } from '../comparison.js';
import { type Snapshot, snapshotIn } from '../gateway/snapshot.js';
import { startGatewayCompanion } from '../gateway/venue.js';
import { type Contestant, type Figure, measureInTurns } from '../turns.js';
import { type Cast, sendAll } from './driver/load.js';
import { opening } from './driver/stock.js';
import { gatewayVenue, withCast } from './venue.js';

/** Sessions started before the next ones are created. */
const AT_ONCE = 5000;

/** Started first, so that one-time costs are not counted. A gateway takes 100,000 in all. */
const WARM_UP_SESSIONS = 100;

/** Memory of open sessions, and how long the gateway is unavailable after a crash with many of them. */
export const sessions: Benchmark = {
  name: 'negotiation/sessions',
  about: 'memory of the server per open session, and restart time until /readyz succeeds',
  async measure({ quick, smoke }): Promise<readonly Measurement[]> {
    const count = smoke ? 100 : quick ? 10_000 : 100_000;
    const contestants = [count / 10, count].map(
      (number): Contestant => ({ parameters: { sessions: number }, round: () => measureSessions(number) }),
    );
    return compareWithFirst(await measureInTurns(contestants, { warmUp: 0, counted: quick ? 1 : 2 }));
  },
};

/** Each round starts a new gateway. */
async function measureSessions(count: number): Promise<readonly Figure[]> {
  await using folder = await temporaryFolder();
  const { path } = folder;
  const memory = await measureMemory(path, count);
  const snapshot = snapshotIn(path);
  await snapshot.remove();
  // No snapshot is written for fewer records.
  const whole = await measureStart(path, 'reading everything', count >= 20_000 ? snapshot : undefined);
  if (count < 20_000) return [...memory, ...whole];
  await snapshot.put();
  return [...memory, ...whole, ...(await measureStart(path, 'from a snapshot'))];
}

/** @param snapshot - waits until it is written */
async function measureStart(folder: string, how: string, snapshot?: Snapshot): Promise<readonly Figure[]> {
  await using again = await startGatewayCompanion({ folder });
  const { heap } = await again.usage(true);
  await snapshot?.written();
  return [
    { name: `start until ready, ${how}`, unit: 'ms', value: again.ready.milliseconds },
    { name: `heap after start, ${how}`, unit: 'MB', value: heap / 1e6 },
  ];
}

async function measureMemory(folder: string, count: number): Promise<readonly Figure[]> {
  await using companion = await startGatewayCompanion({ folder });
  return await withCast(gatewayVenue(companion), async (cast) => {
    const first = Math.min(WARM_UP_SESSIONS, count / 2);
    const measured = count - first;
    await start(cast, first);
    const before = await companion.usage(true);
    const begin = performance.now();
    for (let done = 0; done < measured; done += AT_ONCE)
      await start(cast, Math.min(AT_ONCE, measured - done));
    const seconds = (performance.now() - begin) / 1000;
    const after = await companion.usage(true);
    return [
      { name: 'heap per session', unit: 'B/session', value: (after.heap - before.heap) / measured },
      { name: 'RSS per session', unit: 'B/session', value: (after.rss - before.rss) / measured },
      { name: 'server RSS', unit: 'MB', value: after.rss / 1e6 },
      { name: 'session starts', unit: 'sessions/s', value: measured / seconds },
    ];
  });
}

async function start(cast: Cast, count: number): Promise<void> {
  const parcels = Array.from({ length: count }, () => opening(randomUUID())[0]);
  await sendAll(cast, { parcels, inFlight: 256 });
}
