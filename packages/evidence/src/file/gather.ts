import { failure, type Result, refuse, sha256, success } from '@proffer/core';
import { sessionStream } from '@proffer/core/negotiation';
import { hideArguments, proposalStream } from '@proffer/core/operations';
import { EVERY_SPACE, type Journal, type StoredRecord } from '@proffer/journal';
import { type Ground, groundsOf, isGround } from './grounds.js';
import { type EvidenceAbout, MAX_EVIDENCE, MAX_EVIDENCE_SIZE } from './statement.js';
import { type EvidenceRecord, isAbout } from './summary.js';

type Readable = Pick<Journal, 'read' | 'head' | 'feed' | 'lastSeq'>;

/** What the reader of a file may see. Default: everything. */
export interface EvidenceReader {
  /** Whether it may see a record of a space. */
  readonly may: (record: StoredRecord) => boolean;
  /** The records of a session, as far as it may see them. */
  readonly session: (id: string) => Promise<readonly StoredRecord[]>;
}

/** Says of one record after another whether they are too many for one file by now, or too large. */
function createCount(): (record: object) => boolean {
  let records = 0;
  let size = 0;
  return (record) => {
    records++;
    size += JSON.stringify(record).length;
    return records > MAX_EVIDENCE || size > MAX_EVIDENCE_SIZE;
  };
}

/** Whether one file cannot show these records: they are too many, or too large. */
export function isTooMuch(records: readonly object[]): boolean {
  return records.some(createCount());
}

/**
 * Hides arguments of a proposal in the records of a file. Of what they rest on, only announcements and keys are left: the
 * rest may say what is hidden.
 */
export function hideInRecords(
  about: EvidenceAbout,
  records: readonly EvidenceRecord[],
  names: readonly string[],
): Result<readonly EvidenceRecord[]> {
  if (names.length === 0) return success(records);
  if (!('proposal' in about))
    return failure(refuse('cannot_hide', 'Only arguments of a proposal can be hidden.', {}));
  const kept = records.filter(
    (record) => isAbout(about, record) || record.type === 'announced' || record.type === 'key_registered',
  );
  return hideArguments(kept, names, sha256);
}

/**
 * The records that a file is about, and those that they rest on: what the executor announced, the grant, and the sessions
 * in which it was agreed on (O-53). In the order of `seq`; empty if there are none. Not all of them if {@link isTooMuch}.
 */
export async function gatherRecords(
  journal: Readable,
  about: EvidenceAbout,
  reader: EvidenceReader = { may: () => true, session: (id) => recordsIn(journal, sessionStream(id)) },
): Promise<readonly StoredRecord[]> {
  const { may } = reader;
  const own = 'since' in about ? await since(journal, about, may) : await wholeStream(journal, about, may);
  const beneath = new Map(own.map((record) => [record.seq, record]));
  for (const record of await findGrounds(journal, groundsOf(about, own), reader))
    beneath.set(record.seq, record);
  return [...beneath.values()].sort((left, right) => left.seq - right.seq);
}

async function wholeStream(
  journal: Readable,
  about: Exclude<EvidenceAbout, { readonly since: number }>,
  may: EvidenceReader['may'],
): Promise<readonly StoredRecord[]> {
  const stream =
    'session' in about ? sessionStream(about.session) : proposalStream(about.space, about.proposal);
  return await recordsIn(journal, stream, may);
}

async function recordsIn(
  journal: Readable,
  stream: string,
  may: EvidenceReader['may'] = () => true,
): Promise<readonly StoredRecord[]> {
  return await collect(journal.read(stream), may);
}

/** As many as one file shows, and one more. */
async function collect(
  records: AsyncIterable<StoredRecord>,
  may: EvidenceReader['may'],
): Promise<readonly StoredRecord[]> {
  const found: StoredRecord[] = [];
  const isFull = createCount();
  for await (const record of records) {
    if (!may(record)) continue;
    found.push(record);
    if (isFull(record)) break;
  }
  return found;
}

/** What decisions about a proposal rest on, each once. */
async function findGrounds(
  journal: Readable,
  grounds: readonly Ground[],
  { may, session }: EvidenceReader,
): Promise<readonly StoredRecord[]> {
  const found = new Map<number, StoredRecord>();
  const isFull = createCount();
  for (const ground of grounds) {
    const record = ground.session === undefined ? await lastBefore(journal, ground) : undefined;
    const single = record !== undefined && may(record) ? [record] : [];
    const records = ground.session === undefined ? single : await session(ground.session);
    for (const one of records) found.set(one.seq, one);
    if (records.some(isFull)) break;
  }
  return [...found.values()];
}

/** How many records of a stream are looked at together. */
const WINDOW = 64;

/** The last record that a ground names; from the end of its stream, which may be long. */
async function lastBefore(journal: Readable, ground: Ground): Promise<StoredRecord | undefined> {
  const { stream, seq } = ground;
  const { version, removed } = await journal.head(stream);
  for (let end = version; end > removed; end -= WINDOW) {
    let last: StoredRecord | undefined;
    for await (const record of journal.read(stream, Math.max(1, end - WINDOW + 1))) {
      if (record.version > end || record.seq >= seq) break;
      if (isGround(ground, record)) last = record;
    }
    if (last !== undefined) return last;
  }
  return undefined;
}

async function since(
  journal: Readable,
  { space, since: time }: { readonly space: string; readonly since: number },
  may: (record: StoredRecord) => boolean,
): Promise<readonly StoredRecord[]> {
  const start = await seqBefore(journal, time);
  const feed = journal.feed(space, start, { follow: false });
  return await collect(feed, (record) => record.time >= time && may(record));
}

/** Clocks of several gateways may differ by this much, in milliseconds: places in the journal are only roughly in time. */
const CLOCKS = 60_000;

/** A `seq` after which all records of a time and later come. */
async function seqBefore(journal: Readable, time: number): Promise<number> {
  let low = 0;
  let high = await journal.lastSeq(EVERY_SPACE);
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const next = await firstAfter(journal, middle);
    if (next !== undefined && next.time < time - CLOCKS) low = next.seq;
    else high = middle;
  }
  return low;
}

async function firstAfter(journal: Readable, seq: number): Promise<StoredRecord | undefined> {
  for await (const record of journal.feed(EVERY_SPACE, seq, { follow: false })) return record;
  return undefined;
}
