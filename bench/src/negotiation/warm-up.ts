import type { Effort } from '../benchmark.js';
import { sendAll, streamAll } from './driver/load.js';
import { remark } from './driver/stock.js';
import { openTables, remarks } from './tables.js';
import { type Venue, withCast } from './venue.js';

/**
 * Messages until the server's JIT has settled: with fewer, a server with more code looks slower than it is.
 */
const WARM_UP_MESSAGES = 48_000;

/** Messages at a time, each time in new sessions. */
const AT_ONCE = 16_000;

const IN_FLIGHT = 256;

/** Sends each server the same number of messages, scaled by its share, over `Send` before measuring. */
export async function warmUpSending(venues: readonly Venue[], effort: Effort): Promise<void> {
  await warmUp(venues, effort, async (venue, count) => {
    await withCast(venue, async (cast) => {
      const parcels = remarks(await openTables(cast, 64), count);
      await sendAll(cast, { parcels, inFlight: IN_FLIGHT });
    });
  });
}

/** Like `warmUpSending`, over one `StreamSession`. */
export async function warmUpStreaming(venues: readonly Venue[], effort: Effort): Promise<void> {
  await warmUp(venues, effort, async (venue, count) => {
    await withCast(venue, async (cast) => {
      const [session = ''] = await openTables(cast, 1);
      const parcels = Array.from({ length: count + 1 }, (_, index) => remark(session, index, 'buyer'));
      await streamAll(cast.buyer, { parcels, inFlight: IN_FLIGHT });
    });
  });
}

async function warmUp(
  venues: readonly Venue[],
  { quick, smoke }: Effort,
  send: (venue: Venue, count: number) => Promise<void>,
): Promise<void> {
  if (smoke) return;
  const enough = quick ? WARM_UP_MESSAGES / 3 : WARM_UP_MESSAGES;
  for (const venue of venues) {
    for (let sent = 0; sent < enough; sent += AT_ONCE) await send(venue, Math.ceil(AT_ONCE * venue.share));
  }
}
