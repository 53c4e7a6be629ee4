import { randomUUID } from 'node:crypto';
import { type Cast, sendAll } from './driver/load.js';
import { opening, type Parcel, remark } from './driver/stock.js';

/** Starts so many new sessions, each with an offer, and gives their ids. */
export async function openTables(cast: Cast, count: number): Promise<readonly string[]> {
  const ids = Array.from({ length: count }, () => randomUUID());
  const openings = ids.map(opening);
  const inFlight = 64;
  await sendAll(cast, { parcels: openings.map(([start]) => start), inFlight });
  await sendAll(cast, { parcels: openings.map(([, offer]) => offer), inFlight });
  return ids;
}

/** So many messages, in turns to each of some sessions; `from` is where their numbers begin. */
export function remarks(sessions: readonly string[], count: number, from = 0): readonly Parcel[] {
  return Array.from({ length: count }, (_, index) => {
    const place = index % sessions.length;
    // Each session gets all kinds of messages, and at one moment not all of them the same kind.
    return remark(sessions[place] ?? '', from + Math.floor(index / sessions.length) + place);
  });
}
