import { mayBeRemoved, streamsAwaitedBy } from '@proffer/core';
import { sessionOfStream } from '@proffer/core/negotiation';
import { EVERY_SPACE, type Journal } from '@proffer/journal';

/** How much retention removes, or would remove. */
export interface Removable {
  readonly proposals: number;
  readonly sessions: number;
  readonly records: number;
}

/**
 * Dependencies of open proposals (O-37). No gateway is running that would look at them in time, so they must
 * stay. Reads the journal once, from the beginning.
 */
async function awaitedIn(journal: Journal): Promise<ReadonlySet<string>> {
  const awaitedBy = new Map<string, readonly string[]>();
  for await (const record of journal.feed(EVERY_SPACE, 0, { follow: false })) {
    const streams = streamsAwaitedBy(record);
    if (streams.length > 0) awaitedBy.set(record.stream, streams);
    else if (mayBeRemoved(record)) awaitedBy.delete(record.stream);
  }
  return new Set([...awaitedBy.values()].flat());
}

/** Counts what `compact` would remove, without changing anything. Reads the journal twice, from the beginning. */
export async function countRemovable(journal: Journal, before: number): Promise<Removable> {
  let proposals = 0;
  let sessions = 0;
  let records = 0;
  const awaited = await awaitedIn(journal);
  for await (const record of journal.feed(EVERY_SPACE, 0, { follow: false })) {
    if (record.time >= before || !mayBeRemoved(record) || awaited.has(record.stream)) continue;
    const { version, removed } = await journal.head(record.stream);
    if (version !== record.version) continue;
    if (sessionOfStream(record.stream) === undefined) proposals++;
    else sessions++;
    records += version - removed;
  }
  return { proposals, sessions, records };
}

/** Removes what ended before a time, in milliseconds since 1970. */
export async function removeFrom(journal: Journal, before: number): Promise<Removable> {
  let sessions = 0;
  const awaited = await awaitedIn(journal);
  const { streams, records } = await journal.compact({
    before,
    keep(last) {
      if (!mayBeRemoved(last) || awaited.has(last.stream)) return true;
      if (sessionOfStream(last.stream) !== undefined) sessions++;
      return false;
    },
  });
  return { proposals: streams - sessions, sessions, records };
}
