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
      return outcome?.result === 'unknown'
        ? style.yellow('outcome unknown')
        : style.green('approved, running');
    case 'settled':
      return settledWord(outcome?.result, style);
    case 'withdrawn':
      // It was withdrawn because of a rejection, so the rejection is the decision.
      return decision?.decision === 'rejected' ? style.red('rejected') : style.yellow('withdrawn');
    case 'expired':
      return style.yellow('expired');
    case 'declined':
      return style.red('declined');
  }
}

function settledWord(result: string | undefined, style: Style): string {
  if (result === 'ok') return style.green('done');
  return result === 'unknown' ? style.yellow('outcome unknown') : style.red('failed');
}
