import type { ProposalView } from '../proposals/proposal-view.js';
import type { Style } from '../terminal/style.js';

/** The phase of a proposal in the words of the command line. */
export function phaseWord(
  { phase, outcome, decision }: Pick<ProposalView, 'phase' | 'outcome' | 'decision'>,
  style: Style,
): string {
  switch (phase) {
    case 'pending':
      return style.cyan('pending');
    case 'approved':
      return style.cyan('approved, waiting');
    case 'fulfilled':
      return style.cyan('approved, running');
    case 'allowed':
      return style.cyan('allowed, not reported yet');
    case 'settled':
      return settledWord(outcome, style);
    case 'withdrawn':
      // It was withdrawn because of a rejection, so the rejection is the decision.
      return decision?.decision === 'rejected' ? style.red('rejected') : style.yellow('withdrawn');
    case 'expired':
      return style.yellow('expired');
    case 'declined':
      return style.red('declined');
  }
}

function settledWord(outcome: ProposalView['outcome'], style: Style): string {
  if (outcome?.result === 'ok') return style.green('done');
  if (outcome?.result === 'unknown')
    return outcome.cause === 'not_reported' ? 'allowed, never reported' : style.yellow('outcome unknown');
  return outcome?.notRun === true ? style.yellow('not run') : style.red('failed');
}
