import { type Envelope, type Refusal, type Result, refuse } from '@proffer/core';
import type { JsonObject } from '@proffer/core/json';
import type {
  BatchPart,
  NewKey,
  OperationRecord,
  ParticipantRights,
  SpaceDecision,
  SpaceState,
} from '@proffer/core/operations';
import type { AppendOutcome } from '@proffer/journal';
import type { StoredOperation } from '../delivery/index.js';
import type { MessageOutcome, SubmitOutcome } from '../host/index.js';
import { refusalForJournalError } from '../journal/index.js';
import type { Removed } from './past/stored-proposal.js';

/**
 * What became of a message of a space. The first record with the message is the sender's own. A batch has `parts`, each with
 * its own outcome (O-35). It is accepted if one of them is, else a duplicate if one of them is, and refused only if all of
 * them are.
 */
export type SpaceMessageOutcome = MessageOutcome<OperationRecord> & {
  readonly parts?: readonly PartOutcome[];
  /** The token of an invitation (O-51), or the code for a key (O-49), for its sender alone. */
  readonly issued?: IssuedSecret;
};

/** What its sender learns, and nobody else: the token or code is stored nowhere. */
export type IssuedSecret = {
  readonly status: 'created';
  readonly participant: string;
  readonly token?: string;
  readonly code?: string;
  /** Milliseconds since 1970. */
  readonly until: number;
};

/** Called once with the outcome of a message. */
export type SettleMessage = (outcome: SpaceMessageOutcome) => void;

/** An authenticated and authorised message, and what its sender may do. */
export interface Incoming {
  readonly envelope: Envelope;
  readonly sender: ParticipantRights;
  /** The grant it depends on, if the sender's own capabilities do not allow it (O-41). */
  readonly grant?: string | undefined;
  /**
   * Checked each time it is decided: a refusal that does not depend on the state of the space. Default: none.
   */
  readonly check?: (() => Refusal | undefined) | undefined;
  /** The hash of the token for an invitation (O-51), or of the code for a key (O-49); or why there is none. */
  readonly newToken?: Result<string> | undefined;
  /** The key that it registers (O-49). */
  readonly newKey?: NewKey | undefined;
}

/** A message to decide. */
export interface PreparedMessage extends Incoming {
  readonly removed: Removed;
}

/** The sender's answer for a decision that leaves no trace. */
type Answer = Extract<SpaceMessageOutcome, { readonly status: 'late' | 'refused' }>;

/** The answer to a message that leaves no trace; `undefined` for any other. Without the parts of a batch. */
export function answerTo({ refused: refusal, unchanged }: SpaceDecision): Answer | undefined {
  if (refusal !== undefined) return { status: 'refused', refusal };
  return unchanged === 'late' ? { status: 'late' } : undefined;
}

/** Whether two answers mean the same, perhaps in different words. */
export function isSameAnswer(one: Answer, other: Answer | undefined): boolean {
  if (one.status === 'late' || other?.status !== 'refused') return one.status === other?.status;
  return one.refusal.code === other.refusal.code;
}

/** A message that could not be accepted now, through no fault of its own. */
export function refused(what: string): SpaceMessageOutcome {
  return { status: 'refused', refusal: refuse('unavailable', what) };
}

/** A message that was not decided, because what it is about could not be read. */
export function notDecided(error: unknown): SpaceMessageOutcome {
  return { status: 'refused', refusal: refusalForJournalError(error) };
}

/** The sender's answer; `undefined` for a repeated message. */
export function conclusionOf(
  outcome: SubmitOutcome<SpaceState, SpaceDecision>,
  onFault: (error: unknown) => void,
): SpaceMessageOutcome | undefined {
  switch (outcome.status) {
    case 'landed': {
      const { outcomes } = outcome.decided;
      const { parts } = outcome.decision;
      return parts === undefined ? outcomeOf(outcomes) : batchOutcomeOf(parts, outcomes);
    }
    case 'answered': {
      const { parts, unchanged } = outcome.decision;
      if (parts === undefined || unchanged === 'duplicate') return answerTo(outcome.decision);
      return batchOutcome(parts, [], UNCERTAIN);
    }
    case 'outrun':
      return refused('Too many concurrent writers; retry.');
    case 'failed':
      onFault(outcome.error);
      return refused('The message could not be processed.');
  }
}

/** The outcome of a batch whose records were appended, or could not be. */
export function batchOutcomeOf(
  parts: readonly BatchPart[],
  outcomes: readonly AppendOutcome[],
): SpaceMessageOutcome {
  const records = outcomes.flatMap((outcome) => (outcome.status === 'appended' ? outcome.records : []));
  const failed = outcomes.find((outcome) => outcome.status === 'unavailable');
  const refusal = failed?.status === 'unavailable' ? failed.refusal : UNCERTAIN;
  return batchOutcome(parts, records as StoredOperation[], refusal);
}

const UNCERTAIN = refuse('unavailable', 'The message could not be processed.');

/** The outcome of a message whose records were appended, or could not be. */
function outcomeOf(outcomes: readonly AppendOutcome[]): SpaceMessageOutcome {
  const [only] = outcomes;
  // Nearly always.
  if (outcomes.length === 1 && only?.status === 'appended') {
    return { status: 'accepted', records: only.records as readonly StoredOperation[] };
  }
  const failed = outcomes.find((outcome) => outcome.status === 'unavailable');
  if (failed?.status === 'unavailable') {
    return { status: 'refused', refusal: withParts(failed.refusal, outcomes) };
  }
  const records = outcomes.flatMap((outcome) => (outcome.status === 'appended' ? outcome.records : []));
  return { status: 'accepted', records: records as StoredOperation[] };
}

/** Several appends may be written in part: the refusal says so. Resent, the rest is done (O-3). */
function withParts(refusal: Refusal, outcomes: readonly AppendOutcome[]): Refusal {
  const recorded = outcomes.filter(({ status }) => status === 'appended').length;
  if (recorded === 0) return refusal;
  const parts = `${recorded} of the message's ${outcomes.length} parts were recorded; send the message again for the rest.`;
  const message = `${refusal.message} ${parts}`;
  return { ...refusal, message, details: { ...refusal.details, recorded } };
}

/** The outcome for one of the proposals that a batch names (O-35); see {@link SpaceMessageOutcome} for what it means. */
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
function batchOutcome(
  parts: readonly BatchPart[],
  records: readonly StoredOperation[],
  failed: Refusal,
): SpaceMessageOutcome {
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
export function repeatedBatch(parts: readonly BatchPart[], found: SpaceMessageOutcome): SpaceMessageOutcome {
  return 'records' in found ? batchOutcome(parts, found.records, NOT_FOUND) : found;
}

const NOT_FOUND = refuse('unavailable', 'The message could not be found.');

/** The outcome of a batch that was decided again because not all of it was certain: what was accepted counts. */
export function batchOutcomeAfter(
  earlier: SpaceMessageOutcome | undefined,
  later: SpaceMessageOutcome,
): SpaceMessageOutcome {
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
export function isPartly({ parts = [] }: SpaceMessageOutcome): boolean {
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

function together(parts: readonly PartOutcome[], records: readonly StoredOperation[]): SpaceMessageOutcome {
  const has = (status: PartOutcome['status']): boolean => parts.some((part) => part.status === status);
  if (has('accepted')) return { status: 'accepted', records, parts };
  if (has('duplicate')) return { status: 'duplicate', records, parts };
  const [first] = parts;
  if (has('late') || first?.status !== 'refused') return { status: 'late', parts };
  const { code, message, details } = first.refusal;
  const refusal = { code, message, details: { ...details, outcomes: showParts(parts) } };
  return { status: 'refused', refusal, parts };
}

function recordsIn(outcome: SpaceMessageOutcome): readonly StoredOperation[] {
  return 'records' in outcome ? outcome.records : [];
}
