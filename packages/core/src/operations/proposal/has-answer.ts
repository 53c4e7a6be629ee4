import { isFulfilled, isOpen, type Proposal } from './proposal.js';
import { isDecisiveRejection } from './rejection.js';

/**
 * Whether there is an answer for a waiting caller: the proposal ended, whatever the outcome, or
 * someone who could have approved it rejected it (O-31) or made a counter-offer (O-40). In the latter
 * cases it is still pending; `ignoreRejections` is for proposers that keep waiting for others.
 */
export function hasAnswer(proposal: Proposal, ignoreRejections = false): boolean {
  if (isFulfilled(proposal)) return proposal.fulfilment?.answerBy === undefined;
  if (!isOpen(proposal)) return true;
  if (ignoreRejections || proposal.phase === 'approved') return false;
  for (const [, rejection] of proposal.rejections) if (isDecisiveRejection(rejection)) return true;
  return proposal.counters.some(({ by, state }) => state === 'live' && by !== proposal.proposer);
}
