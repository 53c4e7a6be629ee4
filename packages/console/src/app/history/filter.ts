import { decisionOn, type Proposal } from '@proffer/core/operations';
import { describeState, STATES } from '@proffer/core/words';
import { nameOf } from '../space/tools.js';

/** The search in the history. */
export interface Filter {
  /** Words to find: who, which tool, any argument, a reason. */
  readonly text: string;
  /** The state of a proposal, in the displayed word; empty for any. */
  readonly ending: string;
  /** Who proposed or decided it; empty for anyone. */
  readonly who: string;
  /** Only what was proposed within this many milliseconds. */
  readonly within: number;
}

export const ENDINGS: readonly string[] = Object.values(STATES).map(({ word }) => word);

/** The proposals that match. */
export function filterProposals(
  proposals: readonly Proposal[],
  { text, ending, who, within }: Filter,
  now: number,
): readonly Proposal[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return proposals.filter((proposal) => {
    if (ending !== '' && describeState(proposal).word !== ending) return false;
    if (now - proposal.proposedAt > within) return false;
    if (who !== '' && !peopleOf(proposal).includes(who)) return false;
    return words.every((word) => searchable(proposal).includes(word));
  });
}

/** Everyone who took part in it. */
export function peopleOf(proposal: Proposal): readonly string[] {
  const { proposer, rejections, fulfilment } = proposal;
  return [proposer, ...rejections.keys(), fulfilment?.by ?? '', fulfilment?.executor ?? ''].filter(Boolean);
}

const texts = new WeakMap<Proposal, string>();

function searchable(proposal: Proposal): string {
  const known = texts.get(proposal);
  if (known !== undefined) return known;
  const { id, params, method, rejections } = proposal;
  const reasons = [...rejections].map(([, { reason, message = '' }]) => `${reason} ${message}`);
  const decision = decisionOn(proposal);
  const parts = [id, method, nameOf(proposal), ...peopleOf(proposal), ...reasons, decision?.reason ?? ''];
  const text = `${parts.join(' ')} ${JSON.stringify(params ?? {}).slice(0, 20_000)}`.toLowerCase();
  texts.set(proposal, text);
  return text;
}
