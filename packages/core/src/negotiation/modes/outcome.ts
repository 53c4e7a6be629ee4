import { type Refusal, refuse } from '../../refusal/refusal.js';
import type { CommitmentPayload } from '../wire/payloads.js';
import type { Eligibility } from './eligibility.js';

/**
 * Why an outcome cannot be committed, or `undefined`. Committing too early is a mistake in the message; an outcome that
 * does not fit is a denial.
 */
export function checkOutcome(
  { outcomes, reasons }: Eligibility,
  { outcome_positive }: Pick<CommitmentPayload, 'outcome_positive'>,
): Refusal | undefined {
  const outcome = outcome_positive ? 'positive' : 'negative';
  if (outcomes.includes(outcome)) return undefined;
  const code = outcomes.length === 0 ? 'INVALID_ENVELOPE' : 'POLICY_DENIED';
  return refuse(code, `A ${outcome} outcome cannot be committed: ${reasons.join(' ')}`, { reasons });
}
