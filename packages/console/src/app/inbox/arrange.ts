import type { Proposal } from '@proffer/core';
import type { Rights } from '../space/rights.js';
import { nameOf, partsOf } from '../space/tools.js';
import { summarise } from '../value/summary.js';

/** In which order what waits is shown. */
export type Sort = 'newest' | 'least time left';

/** A line of the inbox: a heading, or a proposal under it. */
export type InboxLine =
  | { readonly type: 'heading'; readonly title: string; readonly size: number }
  | { readonly type: 'proposal'; readonly proposal: Proposal };

export interface InboxOptions {
  readonly me: string;
  readonly rights: Rights;
  readonly sort: Sort;
  readonly search: string;
  /** Also what somebody else has to decide. */
  readonly all: boolean;
}

/** What is in the inbox. */
export interface Arranged {
  readonly lines: readonly InboxLine[];
  /** Proposals in the order of the lines. */
  readonly proposals: readonly Proposal[];
  /** How many wait for this person, whatever is searched for. */
  readonly waiting: number;
  /** How many are pending that this person has no say in. */
  readonly elsewhere: number;
}

const TITLES = [
  'Asked of you',
  'Open to anyone who may decide',
  'Rejected by you, still pending',
  'For others to decide',
];

/** Puts what is pending in order: what is asked of oneself first, then whatever one may decide. */
export function arrange(all: Iterable<Proposal>, options: InboxOptions): Arranged {
  const groups: [Proposal[], Proposal[], Proposal[], Proposal[]] = [[], [], [], []];
  let waiting = 0;
  let elsewhere = 0;
  const words = options.search.toLowerCase().split(/\s+/).filter(Boolean);
  for (const proposal of all) {
    if (proposal.phase !== 'pending') continue;
    const group = groupOf(proposal, options);
    if (group < 2) waiting++;
    if (group === 3) elsewhere++;
    if (group === 3 && !options.all) continue;
    if (words.length > 0 && !contains(textOf(proposal), words)) continue;
    groups[group].push(proposal);
  }
  const lines: InboxLine[] = [];
  for (const [place, group] of groups.entries()) {
    if (group.length === 0) continue;
    group.sort(ORDERS[options.sort]);
    lines.push({ type: 'heading', title: TITLES[place] ?? '', size: group.length });
    for (const proposal of group) lines.push({ type: 'proposal', proposal });
  }
  return { lines, proposals: groups.flat(), waiting, elsewhere };
}

function groupOf(proposal: Proposal, { me, rights }: InboxOptions): 0 | 1 | 2 | 3 {
  if (proposal.rejections.has(me)) return 2;
  if (!mayDecide(proposal, rights)) return 3;
  return proposal.addressees.includes(me) ? 0 : 1;
}

// What one may do with a proposal is asked again with every change of the space, and is the same until either changes.
const known = new WeakMap<Rights, WeakMap<Proposal, boolean>>();

function mayDecide(proposal: Proposal, rights: Rights): boolean {
  const answers = known.get(rights) ?? new WeakMap<Proposal, boolean>();
  known.set(rights, answers);
  const before = answers.get(proposal);
  if (before !== undefined) return before;
  const may = rights.mayApprove(proposal);
  answers.set(proposal, may);
  return may;
}

const texts = new WeakMap<Proposal, string>();

/** What is searched: who, what and with which arguments. */
function textOf(proposal: Proposal): string {
  const before = texts.get(proposal);
  if (before !== undefined) return before;
  const { proposer, id } = proposal;
  const given = JSON.stringify(partsOf(proposal)).slice(0, 20_000);
  const text = `${proposer} ${nameOf(proposal)} ${id} ${given}`.toLowerCase();
  texts.set(proposal, text);
  return text;
}

function contains(text: string, words: readonly string[]): boolean {
  return words.every((word) => text.includes(word));
}

const ORDERS: Readonly<Record<Sort, (left: Proposal, right: Proposal) => number>> = {
  newest: (left, right) => right.proposedAt - left.proposedAt || (left.id < right.id ? -1 : 1),
  'least time left': (left, right) =>
    (left.expiresAt ?? Number.POSITIVE_INFINITY) - (right.expiresAt ?? Number.POSITIVE_INFINITY) ||
    left.proposedAt - right.proposedAt,
};

const summaries = new WeakMap<Proposal, string>();

/** What a proposal is about, on one line. */
export function summaryOf(proposal: Proposal): string {
  const before = summaries.get(proposal);
  if (before !== undefined) return before;
  const { given, others } = partsOf(proposal);
  const summary = summarise({ ...given, ...others });
  summaries.set(proposal, summary);
  return summary;
}
