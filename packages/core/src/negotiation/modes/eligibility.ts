import type { JsonObject } from '../../json/json.js';
import { type Refusal, refuse } from '../../refusal/refusal.js';
import type { CommitmentPayload } from '../wire/payloads.js';

/** What a Commitment says about the negotiation. */
export type NegotiationOutcome = 'positive' | 'negative';

/** Whether a Commitment would be accepted, and why or why not. A mode may add details. */
export type Eligibility = {
  readonly committer: string;
  /** The outcomes that may be committed now; none if it is too early, or over. */
  readonly outcomes: readonly NegotiationOutcome[];
  /** Why these and no others, in sentences. */
  readonly reasons: readonly string[];
};

/**
 * Why an outcome cannot be committed, or `undefined`. Committing too early is a mistake in the message; an outcome that
 * does not fit is a denial.
 *
 * @param details - what the mode adds for programs. Default: nothing
 */
export function checkOutcome(
  { outcomes, reasons }: Pick<Eligibility, 'outcomes' | 'reasons'>,
  { outcome_positive }: Pick<CommitmentPayload, 'outcome_positive'>,
  details: JsonObject = {},
): Refusal | undefined {
  const outcome = outcome_positive ? 'positive' : 'negative';
  if (outcomes.includes(outcome)) return undefined;
  const code = outcomes.length === 0 ? 'INVALID_ENVELOPE' : 'POLICY_DENIED';
  const what = `A ${outcome} outcome cannot be committed: ${reasons.join(' ')}`;
  return refuse(code, what, { ...details, reasons });
}
