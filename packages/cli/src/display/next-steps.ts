import { looksLikeGuards } from '../proposals/guard-id.js';
import type { ProposalView } from '../proposals/proposal-view.js';
import { commandAbout } from '../terminal/shell-word.js';
import { visible } from '../terminal/visible.js';

/** How to write commands for pasting. */
export interface Pasted {
  /** The name of the program. */
  readonly name: string;
  /** The options that lead to the same place; starts with a space unless it is empty. */
  readonly options: string;
}

/** What can be done about a pending proposal, one line each; empty for one that is decided. */
export function nextSteps(
  { id, phase, proposer, rejections, counters = [] }: ProposalView,
  { name, options }: Pasted,
): readonly string[] {
  if (phase !== 'pending') return [];
  const command = (word: string, more = '') =>
    visible(commandAbout(`${name} ${word}`, [id], { options, more }));
  const against = Object.keys(rejections).map(visible).join(', ');
  const who = visible(proposer);
  const approve = `  to approve:   ${command('approve')}`;
  const reject = `  to reject:    ${command('reject', '--reason …')}`;
  // A guard withdraws and accepts on its own when its caller asks.
  if (looksLikeGuards(id)) return [approve, reject];
  const isOffered = counters.some(({ by, state }) => by !== proposer && state === 'live');
  const accept = isOffered ? [`  to accept the offer:  ${command('accept')}   # as ${who}`] : [];
  if (against === '') return [approve, reject, ...accept];
  return [
    `  ${against} rejected this call. It stays pending until ${who} withdraws it; others may still approve it.`,
    approve,
    `  to withdraw:  ${command('withdraw')}   # as ${who}`,
    ...accept,
  ];
}
