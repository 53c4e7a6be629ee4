import type { Eligibility } from '../modes/eligibility.js';
import { modeOf } from '../modes/registry.js';
import { type Session, statusAt } from './session.js';

/**
 * Why a session can or cannot be committed at a moment, as data and in sentences: its state, who may
 * commit, and what its mode says (N-9, N-10). Computed by the rule itself.
 *
 * @param committer - who would commit. Default: the initiator
 */
export function explainEligibility(
  session: Session,
  now: number,
  committer: string = session.terms.initiator,
): Eligibility {
  const eligibility = modeOf(session).explain(session.negotiation, session.terms, committer);
  const status = statusAt(session, now);
  if (status === 'OPEN') return eligibility;
  return {
    ...eligibility,
    outcomes: [],
    reasons: [`The session is ${status}.`, ...eligibility.reasons],
  };
}
