import { mayBeRemoved } from '@proffer/core';
import { sessionOfStream } from '@proffer/core/negotiation';
import { EVERY_SPACE, type Journal } from '@proffer/journal';

/** How much retention takes, or would take. */
export interface Removable {
  readonly proposals: number;
  readonly sessions: number;
  readonly records: number;
}

/** Counts what `compact` would remove, without changing anything. Reads the journal once, from the beginning. */
export async function countRemovable(journal: Journal, before: number): Promise<Removable> {
  let proposals = 0;
  let sessions = 0;
  let records = 0;
  for await (const record of journal.feed(EVERY_SPACE, 0, { follow: false })) {
    if (record.time >= before || !mayBeRemoved(record)) continue;
    const { version, removed } = await journal.head(record.stream);
    if (version !== record.version) continue;
    if (sessionOfStream(record.stream) === undefined) proposals++;
    else sessions++;
    records += version - removed;
  }
  return { proposals, sessions, records };
}

/** Removes what is over and ended before a time, in milliseconds since 1970. */
export async function removeFrom(journal: Journal, before: number): Promise<Removable> {
  let sessions = 0;
  const { streams, records } = await journal.compact({
    before,
    keep(last) {
      if (!mayBeRemoved(last)) return true;
      if (sessionOfStream(last.stream) !== undefined) sessions++;
      return false;
    },
  });
  return { proposals: streams - sessions, sessions, records };
}
