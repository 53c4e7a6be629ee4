import { type Envelope, proposalStream } from '@proffer/core';
import type { Journal } from '@proffer/journal';
import type { StoredOperation } from '../delivery/batch.js';
import type { Submission } from './submission.js';

/** Where the record of a message is that came before (O-3). */
export type Original = Pick<StoredOperation, 'stream' | 'version'>;

/** A proposal is known for ever, longer than its id is remembered: it begins its stream. */
export function firstOf(space: string, { id, kind }: Envelope): Original | undefined {
  return kind.startsWith('mcp.proposal.') ? { stream: proposalStream(space, id), version: 1 } : undefined;
}

/**
 * What a message that comes again is told. Nothing when the one that it repeats did not become durable,
 * so that this one is the first.
 */
export async function findOriginal(
  journal: Journal,
  original: Original | undefined,
): Promise<Submission | undefined> {
  if (original === undefined) return { status: 'duplicate' };
  for await (const record of journal.read(original.stream, original.version)) {
    return { status: 'duplicate', record: record as StoredOperation };
  }
  return undefined;
}
