import type { Effort } from '../benchmark.js';
import { runCycles } from './driver/cycle-load.js';
import { fanOut, settle } from './driver/fan-out-load.js';
import type { Wire } from './driver/wire.js';
import type { Venue } from './venue.js';

/**
 * Messages until the server's JIT has settled: with fewer, a server with more code looks slower than it is.
 */
const WARM_UP_MESSAGES = 48_000;

/** Sends each server the same number of messages before measuring, from one sender to two receivers. */
export async function warmUpFanOut(venues: readonly Venue[], effort: Effort): Promise<void> {
  await warmUp(venues, effort, ['agent', 'observer'], async (venue, wires, count) => {
    await fanOut(wires, count, venue.dialect);
  });
}

/** Like `warmUpFanOut`, with whole cycles. */
export async function warmUpCycles(venues: readonly Venue[], effort: Effort): Promise<void> {
  await warmUp(venues, effort, ['agent', 'reviewer', 'tools'], async (venue, wires, count) => {
    const [agent, reviewer, tools] = wires as [Wire, Wire, Wire];
    const load = { count: Math.ceil(count / 3), inFlight: 64, dialect: venue.dialect };
    await runCycles({ agent, reviewer, tools }, load);
  });
}

async function warmUp(
  venues: readonly Venue[],
  { quick, smoke }: Effort,
  names: readonly string[],
  send: (venue: Venue, wires: readonly Wire[], count: number) => Promise<void>,
): Promise<void> {
  if (smoke) return;
  for (const venue of venues) {
    const wires = await Promise.all(names.map((name) => venue.connect(name)));
    await settle(wires, venue.dialect);
    await send(venue, wires, quick ? WARM_UP_MESSAGES / 3 : WARM_UP_MESSAGES);
    for (const wire of wires) wire.close();
  }
}
