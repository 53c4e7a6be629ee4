import type { Benchmark, Measurement } from '../benchmark.js';
import { temporaryFolder } from '../cleanup.js';
import { compareWithFirst } from '../comparison.js';
import { startCompanion } from '../processes/companion.js';
import { type Contestant, measureInTurns, roundsFor } from '../turns.js';
import { mew } from './driver/dialect.js';
import { measureCycles } from './measure-cycles.js';
import { startMew } from './servers/mew.js';
import { gatewayVenue, mewVenue, openVenue, startGatewayCompanion, type Venue } from './venue.js';
import { warmUpCycles } from './warm-up.js';

interface Case {
  readonly inFlight: number;
  readonly observers: number;
  readonly cycles: number;
}

const CASES: readonly Case[] = [
  { inFlight: 1, observers: 0, cycles: 300 },
  { inFlight: 64, observers: 0, cycles: 3000 },
  { inFlight: 512, observers: 0, cycles: 4000 },
  { inFlight: 64, observers: 10, cycles: 1500 },
  { inFlight: 64, observers: 100, cycles: 300 },
];

/** The whole cycle: proposed, fulfilled, answered, each step durable before anyone sees it. */
export const cycles: Benchmark = {
  name: 'gateway/cycles',
  about: 'proposal → fulfilment → response: cycles per second and latency, compared with the MEW gateway',
  async measure({ quick, smoke, note }): Promise<readonly Measurement[]> {
    await using folder = await temporaryFolder();
    await using ours = await startGatewayCompanion({ folder: folder.path });
    await using peer = await startMew();
    await using disk = await temporaryFolder();
    await using later = await temporaryFolder();
    await using syncedLater = await startGatewayCompanion({ folder: later.path, durability: 'process' });
    await using durable = await startCompanion<{ port: number }>('bound', { folder: disk.path });
    if (peer === undefined) {
      note('The MEW gateway was not measured: set PROFFER_BENCH_MEW to the command that starts it.');
    }
    const venues = [
      ...(peer === undefined ? [] : [mewVenue(peer)]),
      openVenue('bound, durable, no rules', durable),
      gatewayVenue(ours),
      gatewayVenue(ours, { server: 'proffer in mew/v0.4', dialect: mew }),
      gatewayVenue(syncedLater, { server: 'proffer, durability: process' }),
    ];
    const rounds = roundsFor({ quick, smoke }, { warmUp: 1, counted: 5 });
    await warmUpCycles(venues, { quick, smoke });
    const found: Measurement[] = [];
    for (const one of CASES) {
      const cycles = Math.ceil(smoke ? one.cycles / 100 : quick ? one.cycles / 8 : one.cycles);
      found.push(...(await measureCase(venues, { ...one, cycles }, rounds)));
    }
    return found;
  },
};

async function measureCase(
  venues: readonly Venue[],
  { inFlight, observers, cycles }: Case,
  rounds: { readonly warmUp: number; readonly counted: number },
): Promise<readonly Measurement[]> {
  const label = `${inFlight} in flight${observers === 0 ? '' : `, ${observers} observers`}`;
  const contestants = venues.map(
    (venue): Contestant => ({
      parameters: { server: venue.server },
      round: () => measureCycles(venue, { label, inFlight, observers, cycles }),
    }),
  );
  return compareWithFirst(await measureInTurns(contestants, rounds));
}
