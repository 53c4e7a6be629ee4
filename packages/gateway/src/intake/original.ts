import { type Envelope, refuseTakenId } from '@proffer/core';
import type { Journal } from '@proffer/journal';
import type { StoredOperation } from '../delivery/batch.js';
import type { Submission } from './submission.js';

/** Where the record of a message is that came before (O-3). */
export type Original = Pick<StoredOperation, 'stream' | 'version'>;

/**
 * What a message that comes again is told: the same as the first time, which for a batch is all its parts.
 * If retention has removed that, its id is taken and no more is known. Nothing when the one that it
 * repeats did not become durable, so that this one is the first.
 */
export async function findOriginals(
  journal: Journal,
  { id }: Envelope,
  originals: readonly Original[],
): Promise<Submission | undefined> {
  const records: StoredOperation[] = [];
  for (const { stream, version } of originals) {
    const record = await recordAt(journal, stream, version);
    if (record !== undefined) records.push(record);
    else if ((await journal.head(stream)).removed < version) return undefined;
  }
  if (records.length === 0 && originals.length > 0) return { status: 'refused', refusal: refuseTakenId(id) };
  return { status: 'duplicate', records };
}

async function recordAt(
  journal: Journal,
  stream: string,
  version: number,
): Promise<StoredOperation | undefined> {
  for await (const record of journal.read(stream, version)) {
    return record.version === version ? (record as StoredOperation) : undefined;
  }
  return undefined;
}
