import { join } from 'node:path';
import type { Benchmark, Measurement } from '../benchmark.js';
import { temporaryFolder } from '../cleanup.js';
import { compareWithFirst } from '../comparison.js';
import { type Contestant, type Figure, measureInTurns, roundsFor } from '../turns.js';
import { fanOut, settle } from './driver/fan-out-load.js';
import { measureCycles } from './measure-cycles.js';
import { leavePending } from './pending.js';
import { spaceNames } from './space-names.js';
import { type GatewayCompanion, gatewayVenue, serverCost, startGatewayCompanion } from './venue.js';

/** What exists besides the loaded space. */
interface World {
  readonly spaces: number;
  /** In the loaded space; each of the others has ten. */
  readonly pending: number;
}

const WORLDS: readonly World[] = [
  { spaces: 1, pending: 100 },
  { spaces: 100, pending: 100 },
  { spaces: 1, pending: 10_000 },
];

const SUBSCRIBERS = 10;

/** The same load on gateways with more state: the cost of a message must not grow (I-8). */
export const scale: Benchmark = {
  name: 'gateway/scale',
  about: 'cycles and fan-out with 100 times the spaces, and with 100 times the pending proposals',
  async measure({ quick, smoke }): Promise<readonly Measurement[]> {
    await using folder = await temporaryFolder();
    const companions: GatewayCompanion[] = [];
    try {
      const contestants: Contestant[] = [];
      for (const world of WORLDS) {
        const names = spaceNames(world.spaces);
        const path = join(folder.path, String(companions.length));
        const companion = await startGatewayCompanion({ folder: path, spaces: names });
        companions.push(companion);
        await fill(companion, smoke ? { ...world, pending: world.pending / 100 } : world);
        contestants.push({
          parameters: {
            there: `${names.length} ${names.length === 1 ? 'space' : 'spaces'}`,
            pending: world.pending,
          },
          round: () => loadBoth(companion, smoke ? 20 : quick ? 400 : 2000),
        });
      }
      const rounds = roundsFor({ quick, smoke }, { warmUp: 2, counted: 7 });
      return compareWithFirst(await measureInTurns(contestants, rounds));
    } finally {
      for (const companion of companions) await companion.end();
    }
  },
};

async function fill(companion: GatewayCompanion, { spaces, pending }: World): Promise<void> {
  for (const [index, space] of spaceNames(spaces).entries()) {
    const venue = gatewayVenue(companion, { space });
    await leavePending(await venue.connect('waiting'), index === 0 ? pending : 10, venue.dialect);
  }
}

async function loadBoth(companion: GatewayCompanion, count: number): Promise<readonly Figure[]> {
  const venue = gatewayVenue(companion);
  const cycles = await measureCycles(venue, {
    label: '64 in flight',
    inFlight: 64,
    observers: 0,
    cycles: count,
  });
  const wires = await Promise.all(Array.from({ length: SUBSCRIBERS }, () => venue.connect('agent')));
  await settle(wires, venue.dialect);
  const { result: seconds, nanoseconds = Number.NaN } = await serverCost(venue, count, () =>
    fanOut(wires, count, venue.dialect),
  );
  for (const wire of wires) wire.close();
  return [
    ...cycles,
    { name: `messages, ${SUBSCRIBERS} receivers`, unit: 'messages/s', value: count / seconds },
    { name: `server CPU, ${SUBSCRIBERS} receivers`, unit: 'ns/message', value: nanoseconds },
  ];
}
