import { connect } from '@proffer/client';
import type { Benchmark, Measurement } from '../benchmark.js';
import { temporaryFolder } from '../cleanup.js';
import { compareWithFirst } from '../comparison.js';
import { startGatewayCompanion } from '../gateway/venue.js';
import { startCompanion } from '../processes/companion.js';
import { type Contestant, type Figure, measureInTurns } from '../turns.js';
import { connectMcp } from './driver/mcp-client.js';
import { WRITES } from './servers/tools.js';

/** Calls made, and approved, at a time: a client accepts no more until the gateway has taken some. */
const AT_ONCE = 200;

/** Many calls waiting for a decision in one guard; each is approved and answered in the end. */
export const held: Benchmark = {
  name: 'guard/held',
  about: 'calls held at once in one process: memory for each, how fast they are accepted and answered',
  async measure({ quick, smoke }): Promise<readonly Measurement[]> {
    const counts = smoke ? [20, 40] : quick ? [500, 2000] : [1000, 10_000];
    const contestants = counts.map(
      (count): Contestant => ({ parameters: { held: count }, round: () => holdAtOnce(count) }),
    );
    const rounds = { warmUp: 0, counted: quick ? 1 : 3 };
    return compareWithFirst(await measureInTurns(contestants, rounds));
  },
};

/** Each round starts new processes, so no round inherits memory from the one before. */
async function holdAtOnce(count: number): Promise<readonly Figure[]> {
  await using folder = await temporaryFolder();
  await using gateway = await startGatewayCompanion({ folder: `${folder.path}/journal` });
  const url = `http://127.0.0.1:${gateway.ready.port}`;
  await using guard = await startCompanion('guard', { url, folder: folder.path }, { spoken: true });
  const client = await connectMcp(guard);
  await using reviewer = await connect({ url, space: 'main', token: 'reviewer' });
  const approvals: (() => Promise<unknown>)[] = [];
  let look: (() => void) | undefined;
  reviewer.onProposal(({ fulfil }) => {
    approvals.push(fulfil);
    look?.();
  });
  const waitFor = (wanted: number): Promise<void> =>
    new Promise((resolve) => {
      look = () => {
        if (approvals.length >= wanted) resolve();
      };
      look();
    });
  const call = (index: number): Promise<void> =>
    client.call(WRITES, { path: `/notes/${index}.txt`, content: 'x'.repeat(200) });
  // One call first, so that one-time costs are not counted.
  const first = call(0);
  await waitFor(1);
  await approvals[0]?.();
  await first;
  const before = await guard.usage(true);
  const start = performance.now();
  const answers: Promise<void>[] = [];
  while (answers.length < count) {
    for (let more = Math.min(AT_ONCE, count - answers.length); more > 0; more--) {
      answers.push(call(answers.length + 1));
    }
    await waitFor(answers.length + 1);
  }
  const taken = performance.now();
  const after = await guard.usage(true);
  const deciding = performance.now();
  for (let index = 1; index <= count; index += AT_ONCE) {
    await Promise.all(approvals.slice(index, index + AT_ONCE).map((approve) => approve()));
  }
  await Promise.all(answers);
  const decided = performance.now();
  return [
    { name: 'heap per held call', unit: 'B/held call', value: (after.heap - before.heap) / count },
    { name: 'RSS per held call', unit: 'B/held call', value: (after.rss - before.rss) / count },
    { name: 'accepted', unit: 'calls/s', value: count / ((taken - start) / 1000) },
    { name: 'approved and answered', unit: 'calls/s', value: count / ((decided - deciding) / 1000) },
  ];
}
