import type { Proposal } from '@proffer/core/operations';
import type { Rights } from '../space/rights.js';

/** The headings of the inbox, in order. */
export const TITLES = [
  'Asked of you',
  'Open to anyone who may decide',
  'Rejected by you, still pending',
  'For others to decide',
] as const;

/** The index of a heading. Items under the first two wait for this user. */
export type Group = 0 | 1 | 2 | 3;

/** The viewer and their rights. */
export interface Viewer {
  readonly me: string;
  readonly rights: Rights;
}

export function groupOf(proposal: Proposal, { me, rights }: Viewer): Group {
  if (proposal.rejections.has(me)) return 2;
  if (!mayDecide(proposal, rights)) return 3;
  return proposal.addressees.includes(me) ? 0 : 1;
}

// The rights for a proposal are needed on every typed letter of a search, and stay the same until either
// changes.
const known = new WeakMap<Rights, WeakMap<Proposal, boolean>>();

function mayDecide(proposal: Proposal, rights: Rights): boolean {
  const answers = known.get(rights) ?? new WeakMap<Proposal, boolean>();
  known.set(rights, answers);
  const may = answers.get(proposal) ?? rights.mayApprove(proposal);
  answers.set(proposal, may);
  return may;
}
