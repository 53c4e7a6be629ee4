import type { Benchmark, Measurement } from '../benchmark.js';
import { temporaryFolder } from '../cleanup.js';
import { compareWithBounds, compareWithFirst } from '../comparison.js';
import { startCompanion } from '../processes/companion.js';
import type { Rounds } from '../sampling.js';
import { type Contestant, type Figure, measureInTurns, roundsFor } from '../turns.js';
import { fanOut as run, settle } from './driver/fan-out-load.js';
import { gatewayVenue, openVenue, serverCost, startGatewayCompanion, type Venue } from './venue.js';
import { warmUpFanOut } from './warm-up.js';

/** Receivers per message, and messages per round. */
const SIZES = [
  { subscribers: 2, messages: 4000 },
  { subscribers: 10, messages: 4000 },
  { subscribers: 100, messages: 800 },
] as const;

/** One participant sends, all receive: the gateway compared with a naive server and with the bound. */
export const fanOut: Benchmark = {
  name: 'gateway/fan-out',
  about: 'deliveries per second from one sender to many connections, compared with plain ws and the bound',
  async measure({ quick, smoke }): Promise<readonly Measurement[]> {
    await using folder = await temporaryFolder();
    await using plain = await startCompanion<{ port: number }>('plain', {});
    await using bound = await startCompanion<{ port: number }>('bound', {});
    await using disk = await temporaryFolder();
    await using durable = await startCompanion<{ port: number }>('bound', { folder: disk.path });
    await using ours = await startGatewayCompanion({ folder: folder.path });
    const venues = [
      openVenue('plain ws, keeps nothing', plain),
      openVenue('bound, keeps nothing', bound),
      openVenue('bound, durable, no rules', durable),
      gatewayVenue(ours),
    ];
    const rounds = roundsFor({ quick, smoke }, { warmUp: 2, counted: 7 });
    await warmUpFanOut(venues, { quick, smoke });
    const found: Measurement[] = [];
    for (const { subscribers, messages } of SIZES) {
      const count = smoke ? messages / 200 : quick ? messages / 4 : messages;
      found.push(...(await measureSize(venues, subscribers, count, rounds)));
    }
    return found;
  },
};

async function measureSize(
  venues: readonly Venue[],
  subscribers: number,
  messages: number,
  rounds: Rounds,
): Promise<readonly Measurement[]> {
  const contestants = await Promise.all(venues.map((venue) => contestant(venue, subscribers, messages)));
  const samples = await measureInTurns(contestants, rounds);
  for (const { close } of contestants) close();
  const servers = venues.map(({ server }) => server);
  const beside = compareWithBounds(samples, {
    ours: servers.at(-1) ?? '',
    bounds: servers.slice(1, -1),
    figures: { 'deliveries/s': 'speed', 'ns/message': 'server CPU' },
    label: `${subscribers} receivers`,
  });
  return compareWithFirst([...samples, ...beside]);
}

type Closable = Contestant & { readonly close: () => void };

async function contestant(venue: Venue, subscribers: number, messages: number): Promise<Closable> {
  const names = Array.from({ length: subscribers }, (_, index) => (index === 0 ? 'agent' : 'observer'));
  const wires = await Promise.all(names.map((name) => venue.connect(name)));
  await settle(wires, venue.dialect);
  const named = (what: string): string => `${what}, ${subscribers} receivers`;
  return {
    parameters: { server: venue.server },
    close: () => {
      for (const wire of wires) wire.close();
    },
    async round() {
      const { result: seconds, nanoseconds } = await serverCost(venue, messages, () =>
        run(wires, messages, venue.dialect),
      );
      const speed = messages / seconds;
      const cost: readonly Figure[] =
        nanoseconds === undefined
          ? []
          : [{ name: named('server CPU'), unit: 'ns/message', value: nanoseconds }];
      return [
        { name: named('messages'), unit: 'messages/s', value: speed },
        { name: named('deliveries'), unit: 'deliveries/s', value: speed * subscribers },
        ...cost,
      ];
    },
  };
}
