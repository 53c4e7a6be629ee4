import { type Session, statusAt } from '../../session/session.js';
import { type Eligibility, explainOutcomes, withoutAuthority } from './eligibility.js';

/**
 * Why a session can or cannot be committed at a moment, as data and in sentences: what its state is,
 * who may commit, who has not accepted what (N-9, N-10). It is the rule itself that speaks.
 *
 * @param committer - who would commit. Default the initiator
 */
export function explainEligibility(
  session: Session,
  now: number,
  committer: string = session.terms.initiator,
): Eligibility {
  const { negotiation, terms } = session;
  const eligibility = withoutAuthority(explainOutcomes(negotiation, terms, committer), terms);
  const status = statusAt(session, now);
  if (status === 'OPEN') return eligibility;
  return {
    ...eligibility,
    outcomes: [],
    reasons: [`The session is ${status}.`, ...eligibility.reasons],
  };
}
