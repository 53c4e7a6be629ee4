import { VersionedMap } from '../../../collections/versioned-map.js';
import { quote } from '../../../json/describe.js';
import type { JsonObject } from '../../../json/json.js';
import { throwUnsupported } from '../../../record/record.js';
import { type Refusal, refuse } from '../../../refusal/refusal.js';
import type { MacpEnvelope } from '../../wire/macp-envelope.js';
import type { CommitmentPayload } from '../../wire/payloads.js';
import { describeNames } from '../authority.js';
import type { Eligibility } from '../eligibility.js';
import { checkOutcome } from '../eligibility.js';
import { decodeMap, encodeMap } from '../encode-map.js';
import type { ModeMessage } from '../mode.js';
import type { Terms } from '../terms.js';
import type { MultiRoundPayloads } from './payloads.js';

/** The messages of the mode, as opposed to those of the session. */
export type MultiRoundEnvelope = ModeMessage<MultiRoundPayloads>;

/** How far the rounds have got. */
export type MultiRoundPhase = 'Contributing' | 'Converged' | 'Committed';

/**
 * The state of the rounds: the result of the accepted messages, and no more than the rules need. Every step costs
 * the same, however long the session is (I-8).
 */
export interface Rounds {
  /** The latest value of each sender. */
  readonly values: VersionedMap<string>;
  /** How many senders have each value; values that nobody has any more are left out. */
  readonly counts: VersionedMap<number>;
  /** How often somebody contributed a value that was new for it. */
  readonly round: number;
  /** The outcome; there is never a second one (I-2). */
  readonly commitment?: { readonly by: string; readonly payload: CommitmentPayload } | undefined;
}

/** A session without values. */
export const NO_VALUES: Rounds = { values: VersionedMap.empty(), counts: VersionedMap.empty(), round: 0 };

/**
 * The rounds after one more accepted message. Whether it may be accepted is decided before.
 *
 * @throws Error for an unknown message type
 */
export function applyMultiRoundMessage(before: Rounds, envelope: MultiRoundEnvelope): Rounds {
  const { sender } = envelope;
  switch (envelope.message_type) {
    case 'Contribute':
      return contribute(before, sender, envelope.payload.value);
    case 'Commitment':
      return { ...before, commitment: { by: sender, payload: envelope.payload } };
    default:
      return throwUnsupported('message', (envelope satisfies never as MacpEnvelope).message_type);
  }
}

function contribute(before: Rounds, sender: string, value: string): Rounds {
  const earlier = before.values.get(sender);
  if (earlier === value) return before;
  const without = earlier === undefined ? before.counts : changeCount(before.counts, earlier, -1);
  return {
    ...before,
    values: before.values.set(sender, value),
    counts: changeCount(without, value, 1),
    round: before.round + 1,
  };
}

function changeCount(counts: VersionedMap<number>, key: string, by: number): VersionedMap<number> {
  const count = (counts.get(key) ?? 0) + by;
  return count === 0 ? counts.delete(key) : counts.set(key, count);
}

/** The value that all participants have contributed, if there is one (N-25). */
export function convergedValue({ values, counts }: Rounds, { participants }: Terms): string | undefined {
  if (values.size < participants.size || counts.size !== 1) return undefined;
  const [value] = counts.keys();
  return value;
}

/** How far the rounds have got. */
export function multiRoundPhaseOf(rounds: Rounds, terms: Terms): MultiRoundPhase {
  if (rounds.commitment !== undefined) return 'Committed';
  return convergedValue(rounds, terms) === undefined ? 'Contributing' : 'Converged';
}

/** The rules of the mode for a valid message from an allowed sender (N-25): the refusal, or `undefined`. */
export function checkMultiRoundMessage(
  rounds: Rounds,
  terms: Terms,
  message: MultiRoundEnvelope,
): Refusal | undefined {
  if (message.message_type === 'Commitment') {
    return checkOutcome(explainRounds(rounds, terms, message.sender), message.payload);
  }
  const converged = convergedValue(rounds, terms);
  if (converged === undefined) return undefined;
  const what = `All participants have contributed ${quote(converged)}. Now this value can only be committed.`;
  return refuse('INVALID_ENVELOPE', what, { field: 'message_type', found: message.message_type });
}

/** Which outcomes the rules allow now, and why not the others (N-25). */
export function explainRounds(rounds: Rounds, terms: Terms, committer: string): Eligibility {
  const converged = convergedValue(rounds, terms);
  if (converged !== undefined) {
    const reason = `All participants have contributed ${quote(converged)}.`;
    return { committer, outcomes: ['positive', 'negative'], reasons: [reason] };
  }
  const missing = [...terms.participants].filter((name) => !rounds.values.has(name));
  const reason =
    missing.length > 0
      ? `No value has come from ${describeNames(missing)}.`
      : `There are ${rounds.counts.size} different values.`;
  return { committer, outcomes: [], reasons: [reason] };
}

/** The state as JSON; equal for a session and a projection of its messages (N-12). */
export function encodeRounds({ values, counts, ...plain }: Rounds): JsonObject {
  return { ...plain, values: encodeMap(values), counts: encodeMap(counts) };
}

/** The inverse of {@link encodeRounds}. */
export function decodeRounds(json: JsonObject): Rounds {
  const { values, counts, ...plain } = json as unknown as Omit<Rounds, 'values' | 'counts'> & {
    readonly values: readonly (readonly [string, string])[];
    readonly counts: readonly (readonly [string, number])[];
  };
  return { ...plain, values: decodeMap(values), counts: decodeMap(counts) };
}
