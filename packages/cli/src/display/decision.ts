import type { ProposalView } from '../proposals/proposal-view.js';
import { formatSpan } from '../terminal/time.js';
import { visible } from '../terminal/visible.js';
import { reasonOf } from './log/message-line.js';

/** Who decided what about a proposal, and after how long; nothing while it is pending. */
export function describeDecision({
  decision,
  proposer,
}: Pick<ProposalView, 'decision' | 'proposer'>): string | undefined {
  if (decision === undefined) return undefined;
  const by = decision.by === undefined ? '' : ` by ${visible(decision.by)}`;
  const after = `after ${formatSpan(decision.took)}`;
  if (decision.decision === 'rejected') {
    const { reason = '', message = '' } = decision;
    return `rejected${by}: ${reasonOf({ reason, message })} (then withdrawn by ${visible(proposer)}), ${after}`;
  }
  const word = decision.decision === 'fulfilled' ? 'approved' : decision.decision;
  const how = decision.grant === undefined ? '' : ` (grant ${visible(decision.grant)})`;
  return `${word}${by}${how} ${after}${decision.amended ? ', with changes' : ''}`;
}
