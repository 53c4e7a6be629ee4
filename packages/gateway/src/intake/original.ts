import { type Envelope, refuseTakenId } from '@proffer/core';
import type { Journal } from '@proffer/journal';
import type { StoredOperation } from '../delivery/batch.js';
import { createRecordCache } from './record-cache.js';
import type { Submission } from './submission.js';

/** Where the record of a message is that came before (O-3). */
export type Original = Pick<StoredOperation, 'stream' | 'version'>;

/** Finds what became of messages that come again. */
export interface Originals {
  /**
   * What a message that comes again is told: the same as the first time, which for a batch is all its parts.
   * If retention has removed that, its id is taken and no more is known. Nothing when the one that it
   * repeats did not become durable, so that this one is the first.
   */
  find(envelope: Envelope, originals: readonly Original[]): Promise<Submission | undefined>;
}

/** Characters of what was repeated that are kept in memory. */
const KEPT = 1_048_576;

/**
 * Finding a record takes many times what any other message costs. So each sender has one look at a time, whose
 * repeats wait for one another and for nobody else's, and what was found is kept for a while (I-7): the same few
 * messages again and again are read from the journal once.
 */
export function createOriginals(journal: Journal): Originals {
  const kept = createRecordCache(KEPT);
  /** By sender: settles when its last look is over. */
  const looking = new Map<string, Promise<unknown>>();

  async function look(id: string, originals: readonly Original[]): Promise<Submission | undefined> {
    const records: StoredOperation[] = [];
    for (const original of originals) {
      const { removed } = await journal.head(original.stream);
      if (removed >= original.version) continue;
      const record = kept.get(original) ?? (await recordAt(journal, original));
      if (record !== undefined) {
        kept.keep(record);
        records.push(record);
      } else if ((await journal.head(original.stream)).removed < original.version) return undefined;
    }
    if (records.length === 0 && originals.length > 0)
      return { status: 'refused', refusal: refuseTakenId(id) };
    return { status: 'duplicate', records };
  }

  return {
    find({ id, from }, originals) {
      const before = looking.get(from) ?? Promise.resolve();
      const found = before.then(() => look(id, originals));
      const over = found
        .catch(() => {})
        .finally(() => {
          if (looking.get(from) === over) looking.delete(from);
        });
      looking.set(from, over);
      return found;
    },
  };
}

async function recordAt(
  journal: Journal,
  { stream, version }: Original,
): Promise<StoredOperation | undefined> {
  for await (const record of journal.read(stream, version)) {
    return record.version === version ? (record as StoredOperation) : undefined;
  }
  return undefined;
}
