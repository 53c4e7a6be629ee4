import { compareCalls, similarityOf } from '@proffer/core/approvals';
import { argumentOrder } from '../display/card.js';
import { becauseOf, showArguments, visibleName, whoAsks } from '../display/operation.js';
import type { ProposalView } from '../proposals/proposal-view.js';
import { executorOf, type Present } from '../proposals/served.js';
import { visible, wrapLine } from '../terminal/visible.js';
import { whyNotFor } from './acting.js';
import { type BatchItem, type Canvas, type InboxState, listedIn } from './state.js';

/** The maximum number decided at once: nobody reads more. */
const MAX_TOGETHER = 100;

/** Shows the calls that are similar to one; says so if there are none. */
export function withSimilar(
  state: InboxState,
  like: ProposalView,
  members: readonly Present[] | undefined,
): InboxState {
  const batch = similarIn(state, like, members);
  if (batch.length > 1) return { ...state, batch, scroll: 0 };
  return { ...state, note: { text: 'No other call like this one is waiting.', tone: 'plain' } };
}

/**
 * The calls similar to one, whoever proposed them (O-35). Calls that someone rejected, that the reader
 * changed or may not approve, are decided one by one.
 */
function similarIn(
  state: InboxState,
  like: ProposalView,
  members: readonly Present[] | undefined,
): readonly BatchItem[] {
  const wanted = similarityOf(like);
  const whyNot = whyNotFor(members);
  return listedIn(state)
    .filter(
      (proposal) =>
        similarityOf(proposal) === wanted &&
        Object.keys(proposal.rejections).length === 0 &&
        !state.drafts.has(proposal.id) &&
        whyNot?.(proposal) === undefined,
    )
    .slice(0, MAX_TOGETHER)
    .map((proposal) => ({ proposal, executor: executorOf(proposal, members) }));
}

/** What the calls have in common, and how each differs, in full. */
export function batchLines(
  { batch = [], proposals, reasons }: InboxState,
  { style, width, members }: Pick<Canvas, 'style' | 'width' | 'members'>,
): readonly string[] {
  const calls = batch.map(({ proposal }) => proposal);
  const { common, different } = compareCalls(calls);
  const names = [...new Set(calls.map((call) => visibleName(call)))];
  const [first] = calls;
  const order = first === undefined ? [] : argumentOrder(first, members);
  const show = ({ given, others }: (typeof different)[number]): readonly string[] =>
    showArguments({ method: 'tools/call', params: { ...others, name: '', arguments: given } }, style, {
      indent: '    ',
      order,
    });
  const isPending = (id: string): boolean => proposals.some((proposal) => proposal.id === id);
  return [
    `${calls.length} calls of ${style.bold(names.join(', '))}: ${style.yellow('a approves all of them, Esc goes back')}`,
    style.dim('  the same in all of them'),
    ...show(common),
    ...batch.flatMap(({ proposal, executor }, place) => [
      [
        `  ${place + 1}  ${whoAsks(proposal)} ${style.dim(visible(proposal.id))}`,
        // The same tool, as far as visible; which one it is in each case decides.
        ...(names.length > 1 ? [style.bold(visibleName(proposal))] : []),
        ...(executor === undefined ? [] : [style.dim(`runs on ${visible(executor)}`)]),
        ...(isPending(proposal.id) ? [] : [style.red('no longer pending')]),
      ].join('  '),
      ...becauseOf(reasons.get(proposal.id)).map((line) => `    ${line}`),
      ...show(different[place] ?? { given: {}, others: {} }),
    ]),
  ].flatMap((line) => wrapLine(line, width));
}
