import { type Refusal, refuse } from '@proffer/core';
import type { JsonObject } from '@proffer/core/json';
import type { BatchPart } from '@proffer/core/operations';
import type { StoredOperation } from '../delivery/index.js';
import type { Submission } from './submission.js';

/** The outcome for one of the proposals that a batch names (O-35); see {@link Submission} for what it means. */
export type PartOutcome = {
  /** Of its message. */
  readonly id: string;
  readonly proposal: string;
} & (
  | { readonly status: 'accepted' | 'duplicate'; readonly seq?: number }
  | { readonly status: 'late' }
  | { readonly status: 'refused'; readonly refusal: Refusal }
);

/**
 * The outcome of a batch, from the decision about its parts and the records they became.
 *
 * @param failed - for a part that was decided, but has no record
 */
export function batchOutcome(
  parts: readonly BatchPart[],
  records: readonly StoredOperation[],
  failed: Refusal,
): Submission {
  const seqs = new Map(records.map(({ envelope, seq }) => [envelope.id, seq]));
  const outcomes = parts.map(({ id, proposal, refused, unchanged }): PartOutcome => {
    const seq = seqs.get(id);
    if (refused !== undefined) return { id, proposal, status: 'refused', refusal: refused };
    if (unchanged === 'late') return { id, proposal, status: 'late' };
    if (unchanged === undefined && seq === undefined)
      return { id, proposal, status: 'refused', refusal: failed };
    const status = unchanged ?? 'accepted';
    return { id, proposal, status, ...(seq === undefined ? {} : { seq }) };
  });
  return together(outcomes, records);
}

/** The outcome of a batch that was sent again, with the records that its parts became the first time. */
export function repeatedBatch(parts: readonly BatchPart[], found: Submission): Submission {
  return 'records' in found ? batchOutcome(parts, found.records, NOT_FOUND) : found;
}

const NOT_FOUND = refuse('unavailable', 'The message could not be found.');

/** The outcome of a batch that was decided again because not all of it was certain: what was accepted counts. */
export function batchOutcomeAfter(earlier: Submission | undefined, later: Submission): Submission {
  if (earlier?.parts === undefined) return later;
  const parts = earlier.parts.map((part, index): PartOutcome => {
    if (part.status === 'accepted') return part;
    const { id, proposal } = part;
    const undecided = later.status === 'refused' ? later.refusal : undefined;
    const now =
      undecided === undefined ? part : { id, proposal, status: 'refused' as const, refusal: undecided };
    return later.parts?.[index] ?? now;
  });
  const records = new Map([...recordsIn(earlier), ...recordsIn(later)].map((record) => [record.seq, record]));
  return together(parts, [...records.values()]);
}

/** Whether a batch has parts that were not accepted: what they depend on may not have been certain. */
export function isPartly({ parts = [] }: Submission): boolean {
  return parts.some(({ status }) => status !== 'accepted');
}

/** The outcomes as told to the sender. */
export function showParts(parts: readonly PartOutcome[]): readonly JsonObject[] {
  return parts.map((part) => {
    if (part.status !== 'refused') return part;
    const { refusal, ...rest } = part;
    const { code, message, details } = refusal;
    return { ...rest, error: { code, message, details } };
  });
}

function together(parts: readonly PartOutcome[], records: readonly StoredOperation[]): Submission {
  const has = (status: PartOutcome['status']): boolean => parts.some((part) => part.status === status);
  if (has('accepted')) return { status: 'accepted', records, parts };
  if (has('duplicate')) return { status: 'duplicate', records, parts };
  const [first] = parts;
  if (has('late') || first?.status !== 'refused') return { status: 'late', parts };
  const { code, message, details } = first.refusal;
  const refusal = { code, message, details: { ...details, outcomes: showParts(parts) } };
  return { status: 'refused', refusal, parts };
}

function recordsIn(submission: Submission): readonly StoredOperation[] {
  return 'records' in submission ? submission.records : [];
}
