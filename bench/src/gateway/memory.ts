import type { Benchmark, Measurement, Parameters } from '../benchmark.js';
import { temporaryFolder } from '../cleanup.js';
import { compareWithFirst } from '../comparison.js';
import type { Rounds } from '../sampling.js';
import { type Contestant, type Figure, measureInTurns } from '../turns.js';
import { canonical } from './driver/dialect.js';
import { connectWire, type Wire } from './driver/wire.js';
import { leavePending } from './pending.js';
import { spaceNames } from './space-names.js';
import { type GatewayCompanion, gatewayVenue, startGatewayCompanion } from './venue.js';

/** Connections opened at a time. */
const AT_ONCE = 50;

/** Memory of the gateway per connection and per pending proposal. */
export const memory: Benchmark = {
  name: 'gateway/memory',
  about:
    'memory of the server per idle connection and per pending proposal, garbage collected before and after',
  async measure({ quick, smoke }): Promise<readonly Measurement[]> {
    const rounds = { warmUp: 0, counted: quick ? 1 : 3 };
    const connections = smoke ? 50 : quick ? 500 : 4000;
    const pending = smoke ? 200 : quick ? 2000 : 20_000;
    return [
      ...(await compare(rounds, [1, 100], (companion, spaces) =>
        idleConnections(companion, spaces, connections),
      )),
      ...(await compare(rounds, [1, 100], (companion, spaces) =>
        pendingProposals(companion, spaces, pending),
      )),
    ];
  },
};

type Grow = (companion: GatewayCompanion, spaces: readonly string[]) => Promise<readonly Figure[]>;

/** Each round starts a new gateway, so no round inherits memory from the one before. */
async function compare(
  rounds: Rounds,
  spaces: readonly number[],
  grow: Grow,
): Promise<readonly Measurement[]> {
  const contestants = spaces.map((count): Contestant => {
    const parameters: Parameters = { spread: `over ${count} ${count === 1 ? 'space' : 'spaces'}` };
    return {
      parameters,
      async round() {
        await using folder = await temporaryFolder();
        const names = spaceNames(count);
        await using companion = await startGatewayCompanion({ folder: folder.path, spaces: names });
        return await grow(companion, names);
      },
    };
  });
  return compareWithFirst(await measureInTurns(contestants, rounds));
}

/** How much the process grew, per item. */
async function growth(
  companion: GatewayCompanion,
  what: string,
  count: number,
  work: () => Promise<void>,
): Promise<readonly Figure[]> {
  const before = await companion.usage(true);
  await work();
  const after = await companion.usage(true);
  return [
    { name: `heap per ${what}`, unit: `B/${what}`, value: (after.heap - before.heap) / count },
    { name: `RSS per ${what}`, unit: `B/${what}`, value: (after.rss - before.rss) / count },
  ];
}

async function idleConnections(
  companion: GatewayCompanion,
  spaces: readonly string[],
  count: number,
): Promise<readonly Figure[]> {
  const wires: Wire[] = [];
  const connect = async (index: number): Promise<void> => {
    const space = spaces[index % spaces.length] ?? 'main';
    const path = `/ws?space=${space}&routing=directed`;
    wires.push(await connectWire({ port: companion.ready.port, path, token: 'idle' }));
  };
  // Opens a few connections first, so that one-time costs are not counted.
  for (let index = 0; index < AT_ONCE; index++) await connect(index);
  const found = await growth(companion, 'connection', count, async () => {
    for (let index = 0; index < count; index += AT_ONCE) {
      await Promise.all(Array.from({ length: AT_ONCE }, (_, more) => connect(index + more)));
    }
  });
  for (const wire of wires) wire.close();
  return found;
}

async function pendingProposals(
  companion: GatewayCompanion,
  spaces: readonly string[],
  count: number,
): Promise<readonly Figure[]> {
  const wires = await Promise.all(spaces.map((space) => gatewayVenue(companion, { space }).connect('agent')));
  const each = count / spaces.length;
  for (const wire of wires) await leavePending(wire, 10, canonical);
  const found = await growth(companion, 'pending proposal', count, async () => {
    for (const wire of wires) await leavePending(wire, each, canonical);
  });
  for (const wire of wires) wire.close();
  return found;
}
