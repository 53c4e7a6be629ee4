import { randomUUID } from 'node:crypto';
import { type Cast, sendAll } from './driver/load.js';
import { opening, type Parcel, remark } from './driver/stock.js';

/** Starts sessions with an offer each, and returns their ids. */
export async function openTables(cast: Cast, count: number): Promise<readonly string[]> {
  const ids = Array.from({ length: count }, () => randomUUID());
  const openings = ids.map(opening);
  const inFlight = 64;
  await sendAll(cast, { parcels: openings.map(([start]) => start), inFlight });
  await sendAll(cast, { parcels: openings.map(([, offer]) => offer), inFlight });
  return ids;
}

/** Messages spread over the sessions in turn; `from` is the first number. */
export function remarks(sessions: readonly string[], count: number, from = 0): readonly Parcel[] {
  return Array.from({ length: count }, (_, index) => {
    const place = index % sessions.length;
    // Each session gets all kinds of messages, and messages in flight are of different kinds.
    return remark(sessions[place] ?? '', from + Math.floor(index / sessions.length) + place);
  });
}
