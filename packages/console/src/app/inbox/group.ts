import type { Proposal } from '@proffer/core/operations';
import type { Rights } from '../space/rights.js';

/** The headings of the inbox, in order. */
export const TITLES = [
  'Asked of you',
  'Open to anyone who may decide',
  'Rejected by you, still pending',
  'For others to decide',
] as const;

/** The position of a heading. Items under the first two wait for this person. */
export type Group = 0 | 1 | 2 | 3;

/** Who looks, and what they may do. */
export interface Viewer {
  readonly me: string;
  readonly rights: Rights;
}

export function groupOf(proposal: Proposal, { me, rights }: Viewer): Group {
  if (proposal.rejections.has(me)) return 2;
  if (!mayDecide(proposal, rights)) return 3;
  return proposal.addressees.includes(me) ? 0 : 1;
}

// What one may do with a proposal is asked again with every letter that is searched for, and is the same until either
// changes.
const known = new WeakMap<Rights, WeakMap<Proposal, boolean>>();

function mayDecide(proposal: Proposal, rights: Rights): boolean {
  const answers = known.get(rights) ?? new WeakMap<Proposal, boolean>();
  known.set(rights, answers);
  const may = answers.get(proposal) ?? rights.mayApprove(proposal);
  answers.set(proposal, may);
  return may;
}
