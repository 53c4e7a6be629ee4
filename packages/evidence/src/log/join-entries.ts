import { ENTRY_BYTES, seqAt, TILE_WIDTH, type TreeStore } from '@proffer/journal/tree';
import type { LogEntry } from './entry.js';

/** What a stored tree and a journal have at the same place: an entry, a record, or both. */
export type Joined =
  | { readonly stored: Uint8Array; readonly record?: LogEntry }
  | { readonly stored?: undefined; readonly record: LogEntry };

/**
 * Walks a stored tree and the records of its journal together, in the order of `seq`.
 *
 * @param from - the index of the first entry
 * @param records - the journal's records from that place on
 */
export async function* joinEntries(
  store: TreeStore,
  from: number,
  records: AsyncIterable<LogEntry>,
): AsyncGenerator<Joined, void> {
  const entries = storedEntries(store, from, await store.count());
  let next = await entries.next();
  for await (const record of records) {
    for (; next.done !== true && seqAt(next.value, 0) < record.seq; next = await entries.next())
      yield { stored: next.value };
    if (next.done === true || seqAt(next.value, 0) > record.seq) yield { record };
    else {
      yield { stored: next.value, record };
      next = await entries.next();
    }
  }
  for (; next.done !== true; next = await entries.next()) yield { stored: next.value };
}

async function* storedEntries(
  store: TreeStore,
  from: number,
  count: number,
): AsyncGenerator<Uint8Array, undefined> {
  for (let tile = Math.floor(from / TILE_WIDTH); tile * TILE_WIDTH < count; tile++) {
    const bytes = await store.read('entries', tile);
    const width = Math.min(TILE_WIDTH, count - tile * TILE_WIDTH);
    for (let at = Math.max(0, from - tile * TILE_WIDTH); at < width; at++)
      yield bytes.subarray(at * ENTRY_BYTES, (at + 1) * ENTRY_BYTES);
  }
  return undefined;
}
