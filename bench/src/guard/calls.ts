import type { Benchmark, Measurement, Parameters } from '../benchmark.js';
import { temporaryFolder } from '../cleanup.js';
import { compareWithFirst, type Samples } from '../comparison.js';
import { percentile } from '../gateway/driver/cycle-load.js';
import { startGatewayCompanion } from '../gateway/venue.js';
import { startCompanion } from '../processes/companion.js';
import { roundsFor } from '../turns.js';
import { connectMcp, type McpClient } from './driver/mcp-client.js';
import { READS } from './servers/tools.js';

const SHARES = { p50: 0.5, p99: 0.99 } as const;

/** What the guard adds to a call that needs no approval. */
export const calls: Benchmark = {
  name: 'guard/calls',
  about: 'a call that the rules allow, over stdio: direct and through the guard',
  async measure({ quick, smoke }): Promise<readonly Measurement[]> {
    await using folder = await temporaryFolder();
    await using gateway = await startGatewayCompanion({ folder: `${folder.path}/journal` });
    const url = `http://127.0.0.1:${gateway.ready.port}`;
    await using server = await startCompanion('tools', {}, { spoken: true });
    await using guard = await startCompanion('guard', { url, folder: folder.path }, { spoken: true });
    const clients = [await connectMcp(server), await connectMcp(guard)] as const;
    const { warmUp, counted } = roundsFor({ quick, smoke }, { warmUp: 2, counted: 15 });
    const count = smoke ? 20 : 1000;
    for (let round = 0; round < warmUp; round++) await interleave(clients, count);
    const rounds: (readonly [Float64Array, Float64Array])[] = [];
    const before = await guard.usage();
    for (let round = 0; round < counted; round++) rounds.push(await interleave(clients, count));
    const after = await guard.usage();
    const spent = ((after.cpu - before.cpu) * 1000) / (counted * count);
    return [
      ...Object.entries(SHARES).flatMap(([name, share]) => figures(name, share, rounds)),
      ...compareWithFirst([{ name: 'guard CPU', unit: 'ns/call', parameters: GUARDED, samples: [spent] }]),
    ];
  },
};

const DIRECT: Parameters = { way: 'direct' };
const GUARDED: Parameters = { way: 'guarded' };

/** Alternates single calls between the two ways, so that other load on the machine affects both alike. */
async function interleave(
  [straight, guarded]: readonly [McpClient, McpClient],
  count: number,
): Promise<readonly [Float64Array, Float64Array]> {
  const taken = [new Float64Array(count), new Float64Array(count)] as const;
  for (let index = 0; index < count; index++) {
    taken[0][index] = await timed(straight);
    taken[1][index] = await timed(guarded);
  }
  return [taken[0].sort(), taken[1].sort()];
}

/** Milliseconds. */
async function timed(client: McpClient): Promise<number> {
  const start = performance.now();
  await client.call(READS, { path: '/notes/today.txt' });
  return performance.now() - start;
}

function figures(
  name: string,
  share: number,
  rounds: readonly (readonly [Float64Array, Float64Array])[],
): readonly Measurement[] {
  const both = rounds.map(([straight, guarded]) => [percentile(straight, share), percentile(guarded, share)]);
  const samples = (
    what: string,
    parameters: Parameters,
    of: (pair: readonly number[]) => number,
  ): Samples => ({
    name: what,
    unit: 'ms',
    parameters,
    samples: both.map(of),
  });
  return compareWithFirst([
    samples(name, DIRECT, ([straight = Number.NaN]) => straight),
    samples(name, GUARDED, ([, guarded = Number.NaN]) => guarded),
    samples(`${name}, added`, GUARDED, ([straight = Number.NaN, guarded = Number.NaN]) => guarded - straight),
  ]);
}
