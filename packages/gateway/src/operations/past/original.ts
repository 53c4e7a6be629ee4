import { setTimeout } from 'node:timers/promises';
import type { Envelope } from '@proffer/core';
import { isRecordOf, refuseTakenId, type saidIn } from '@proffer/core/operations';
import type { Journal } from '@proffer/journal';
import type { StoredOperation } from '../../delivery/index.js';
import type { SpaceMessageOutcome } from '../space-message-outcome.js';

/** Recently read records. */
export interface RecordCache {
  get(place: Pick<StoredOperation, 'stream' | 'version'>): StoredOperation | undefined;
  /**
   * Stores a record, or marks it as used; the least recently used make room for it. False if it is too large.
   */
  keep(record: StoredOperation): boolean;
  /** Total characters stored. */
  size(): number;
}

/**
 * @param most - the maximum total characters of the serialised records; one with a quarter of it is not
 * stored
 */
export function createRecordCache(most: number): RecordCache {
  // Most recently used last.
  const kept = new Map<string, { readonly record: StoredOperation; readonly length: number }>();
  let size = 0;
  return {
    get: (place) => kept.get(keyOf(place))?.record,
    keep(record) {
      const key = keyOf(record);
      const known = kept.get(key);
      const length = known?.length ?? JSON.stringify(record).length;
      if (length * 4 >= most) return false;
      kept.delete(key);
      kept.set(key, { record, length });
      if (known === undefined) size += length;
      for (const [oldest, { length: freed }] of kept) {
        if (size <= most) break;
        kept.delete(oldest);
        size -= freed;
      }
      return true;
    },
    size: () => size,
  };
}

/** The version comes first: it ends at the first space, whatever a stream's name contains. */
function keyOf({ stream, version }: Pick<StoredOperation, 'stream' | 'version'>): string {
  return `${version} ${stream}`;
}

/** Where the record of an earlier message is, or of a part of it, and what it must say (O-3, O-47). */
export type Original = Pick<StoredOperation, 'stream' | 'version'> & ReturnType<typeof saidIn>;

/** Finds the outcome of repeated messages. */
export interface Originals {
  /**
   * The answer to a repeated message: the same as the first time, which for a batch is all its parts. If
   * retention has removed that, the id is taken and no more is known. `undefined` if the original did not
   * become durable, so that this one is the first: then another record may be in its place (O-47).
   */
  find(envelope: Envelope, originals: readonly Original[]): Promise<SpaceMessageOutcome | undefined>;
  /** The original outcome synchronously, if nothing has to be read; otherwise `undefined`. */
  recall(envelope: Envelope, originals: readonly Original[]): SpaceMessageOutcome | undefined;
}

/** How many characters of repeated messages are kept in memory. */
const KEPT = 1_048_576;

/**
 * Records that are read ahead, and kept, with one that was looked up: a sender that repeats one usually
 * repeats those after it.
 */
const AHEAD = 32;

/**
 * After a journal read, the sender's next one waits this many times as long as the read took, up to this many
 * milliseconds.
 */
const REST = 3;
const MAX_REST = 100;

interface Look {
  readonly found: SpaceMessageOutcome | undefined;
  /** Milliseconds spent in the journal. */
  readonly took: number;
}

/**
 * Reading a record from the journal costs far more than handling any other message, so lookups are limited per sender
 * (I-7). Each sender has one at a time, with a pause after it, and delays only its own repeats. What was found is cached
 * for a while, so that the same few repeated messages are read once.
 *
 * @param isHurried - whether waiting senders should be answered as soon as possible
 */
export function createOriginals(journal: Journal, isHurried: () => boolean = () => false): Originals {
  const kept = createRecordCache(KEPT);
  /** By sender: resolves when its next lookup may start. */
  const looking = new Map<string, Promise<void>>();

  async function look(envelope: Envelope, originals: readonly Original[]): Promise<Look> {
    const records: StoredOperation[] = [];
    let took = 0;
    for (const original of originals) {
      const { removed } = await journal.head(original.stream);
      if (removed >= original.version) continue;
      const began = performance.now();
      const recalled = kept.get(original);
      const record = recalled ?? (await read(original));
      if (recalled === undefined) took += performance.now() - began;
      if (record !== undefined && !isRecordOf(record, envelope, original)) return { found: undefined, took };
      if (record !== undefined) records.push(record);
      else if ((await journal.head(original.stream)).removed < original.version)
        return { found: undefined, took };
    }
    if (records.length === 0 && originals.length > 0)
      return { found: { status: 'refused', refusal: refuseTakenId(envelope.id) }, took };
    for (const record of records) kept.keep(record);
    return { found: { status: 'duplicate', records }, took };
  }

  async function read({ stream, version }: Original): Promise<StoredOperation | undefined> {
    let found: StoredOperation | undefined;
    for await (const record of journal.read(stream, version) as AsyncIterable<StoredOperation>) {
      found ??= record;
      const isLast = record.version >= version + AHEAD - 1;
      if (found.version !== version || !kept.keep(record) || isLast) break;
    }
    return found?.version === version ? found : undefined;
  }

  async function rest({ took }: Look): Promise<void> {
    if (took > 0 && !isHurried()) await setTimeout(Math.min(MAX_REST, took * REST));
  }

  return {
    recall(envelope, originals) {
      if (originals.length === 0 || looking.has(envelope.from)) return undefined;
      const records: StoredOperation[] = [];
      for (const original of originals) {
        const removed = journal.headNow?.(original.stream).removed ?? original.version;
        const record = removed < original.version ? kept.get(original) : undefined;
        if (record === undefined || !isRecordOf(record, envelope, original)) return undefined;
        kept.keep(record);
        records.push(record);
      }
      return { status: 'duplicate', records };
    },
    async find(envelope, originals) {
      const { from } = envelope;
      const looked = (looking.get(from) ?? Promise.resolve()).then(() => look(envelope, originals));
      const over = looked
        .then(rest, () => {})
        .finally(() => {
          if (looking.get(from) === over) looking.delete(from);
        });
      looking.set(from, over);
      return (await looked).found;
    },
  };
}
