import {
  beginSession,
  describeSession,
  endingOf,
  isFinal,
  mayRead,
  NEGOTIATION_SPACE,
  type SessionMetadata,
  type SessionRecord,
  sessionOfStream,
  sessionStream,
  statusAt,
  summarizeSession,
} from '@proffer/core/negotiation';
import type { Journal, StoredRecord } from '@proffer/journal';
import type { SessionPage, SessionQuery } from '../runtime.js';
import type { Listing } from './list-sessions.js';
import type { Sessions } from './sessions.js';

/** History is searched backwards, this many records at a time. */
const WINDOW = 2_000;

/** The maximum number of records that a page examines, and of sessions whose end it reads (I-8). */
const MAX_WINDOWS = 10;
const MAX_ENDS = 1_000;

/** A page ends with the session that brings it to this many bytes (I-7). */
const PAGE_SIZE = 1_048_576;

interface HistoryOptions {
  readonly journal: Journal;
  readonly sessions: Sessions;
}

/**
 * A page of all sessions in the journal, latest start first, for someone who may read them (N-8). Each costs
 * its first record, which the page passes, and its last one. A page may be short, even empty: as long as
 * there is a `next`, there is more.
 */
export async function readSessionPage<Form>(
  { journal, sessions }: HistoryOptions,
  { before = Number.POSITIVE_INFINITY, prefix, state, limit }: SessionQuery,
  { rights, clock, toForm, isOver }: Listing<Form>,
): Promise<SessionPage<Form>> {
  const found: Form[] = [];
  let size = 0;
  let ends = 0;
  let end = Math.min(before - 1, await journal.lastSeq(NEGOTIATION_SPACE));
  for (let window = 0; window < MAX_WINDOWS && end > 0 && !isOver(); window++) {
    const start = Math.max(0, end - WINDOW);
    for (const record of (await startsBetween(journal, start, end)).reverse()) {
      const id = sessionOfStream(record.stream) ?? '';
      const begun = beginSession(record);
      if (!id.startsWith(prefix) || !mayRead(begun, rights)) continue;
      ends++;
      const described = await describe(id, begun);
      if (described !== undefined && (state === 'all' || isFinal(described.state))) {
        const { value, bytes } = toForm(described);
        found.push(value);
        size += bytes;
      }
      if (found.length >= limit || size >= PAGE_SIZE || ends >= MAX_ENDS)
        return record.seq > 1 ? { sessions: found, next: record.seq } : { sessions: found };
    }
    end = start;
  }
  return end > 0 ? { sessions: found, next: end + 1 } : { sessions: found };

  /** Sessions in memory are open, or were a moment ago; all others have an end in the journal. */
  async function describe(
    id: string,
    begun: ReturnType<typeof beginSession>,
  ): Promise<SessionMetadata | undefined> {
    const known = sessions.now(id);
    if (known !== undefined) return describeSession(known, clock());
    const last = await lastRecord(journal, id);
    if (last === undefined) return undefined;
    if (endingOf(last) !== undefined) return summarizeSession(begun, last);
    const now = clock();
    // Another gateway has it, and its records are on their way here.
    return { ...describeSession(begun, now), state: statusAt(begun, now), participant_activity: [] };
  }
}

type Start = StoredRecord<SessionRecord & { readonly type: 'session_started' }>;

async function startsBetween(journal: Journal, after: number, last: number): Promise<Start[]> {
  const starts: Start[] = [];
  for await (const record of journal.feed(NEGOTIATION_SPACE, after, { follow: false })) {
    if (record.seq > last) break;
    if (record.type === 'session_started') starts.push(record as Start);
  }
  return starts;
}

async function lastRecord(journal: Journal, id: string): Promise<StoredRecord<SessionRecord> | undefined> {
  const stream = sessionStream(id);
  const { version } = await journal.head(stream);
  for await (const record of journal.read(stream, version)) return record as StoredRecord<SessionRecord>;
  return undefined;
}
