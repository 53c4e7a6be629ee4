import type { ProposalView } from '../proposals/proposal-view.js';

/**
 * How a proposal was decided: who did what, and why. May contain text from others; make it visible before showing it.
 */
export function describeEnding({
  decision,
  proposer,
  targeting,
  rejections,
}: Pick<ProposalView, 'decision' | 'proposer' | 'targeting' | 'rejections'>): string | undefined {
  if (decision === undefined) return undefined;
  const { by = 'somebody', reason = '', message = '' } = decision;
  const why = [reason, message].filter((text) => text !== '').join(': ');
  switch (decision.decision) {
    case 'fulfilled':
      if (decision.grant !== undefined) return `a grant of ${by} let it run`;
      return `${by} approved it${decision.amended ? ' with changes' : ''}`;
    case 'rejected':
      return `${by} rejected it${why === '' ? '' : ` (${why})`}, and ${proposer} withdrew it`;
    case 'withdrawn':
      return `${by} withdrew it${why === '' ? '' : ` (${why})`}`;
    case 'expired':
      return 'it expired: nobody decided in time';
    case 'declined':
      return `it was declined: ${reason === '' ? whyDeclined({ targeting, rejections }) : `a proposal it depends on failed (${reason})`}`;
  }
}

function whyDeclined({ targeting, rejections }: Pick<ProposalView, 'targeting' | 'rejections'>): string {
  if (targeting?.exclusive === true) return 'it was reserved, and nobody it was reserved for took it';
  const names = Object.keys(rejections);
  return names.length === 0 ? 'nobody decided in time' : `${names.join(', ')} rejected it`;
}
