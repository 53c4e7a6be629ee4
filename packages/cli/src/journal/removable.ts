import { mayBeRemoved } from '@proffer/core';
import { EVERY_SPACE, type Journal } from '@proffer/journal';

/** How much retention takes, or would take. */
export interface Removable {
  readonly proposals: number;
  readonly records: number;
}

/** Counts what `compact` would remove, without changing anything. Reads the journal once, from the beginning. */
export async function countRemovable(journal: Journal, before: number): Promise<Removable> {
  let proposals = 0;
  let records = 0;
  for await (const record of journal.feed(EVERY_SPACE, 0, { follow: false })) {
    if (record.time >= before || !mayBeRemoved(record)) continue;
    const { version, removed } = await journal.head(record.stream);
    if (version !== record.version) continue;
    proposals++;
    records += version - removed;
  }
  return { proposals, records };
}
