import type { ProposalView } from '../proposals/proposal-view.js';
import type { Style } from '../terminal/shell.js';
import { visible, visibleLine } from '../terminal/visible.js';
import { showChanges } from './changes.js';

const STATES = { live: '', accepted: ' (accepted)', withdrawn: ' (taken back)' } as const;

/** The counter-offers to a proposal as a conversation, oldest first: who, why, and the changes (O-40). */
export function showCounters(
  { counters = [], proposer }: Pick<ProposalView, 'counters' | 'proposer'>,
  style: Style,
  isRevealed = false,
): readonly string[] {
  return counters.flatMap(({ id, by, reason, amendment, state }) => {
    const says = `${visible(by)} ${by === proposer ? 'answers' : 'offers'}: ${visibleLine(reason, isRevealed)}`;
    const line = `${style.cyan('↩')} ${says}${STATES[state]} ${style.dim(visible(id))}`;
    return state === 'withdrawn'
      ? [style.dim(line)]
      : [line, ...showChanges(amendment, style, { indent: '    ', isRevealed })];
  });
}
