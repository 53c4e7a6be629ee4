import type { Proposal } from '@proffer/core/operations';
import type { Rights } from '../space/rights.js';
import { nameOf, partsOf } from '../space/tools.js';
import { summarise } from '../value/summary.js';

/** In which order what waits is shown. */
export type Sort = 'newest' | 'least time left';

/** Something in the inbox that can be opened: a proposal, or similar ones together. Its id stands in the address. */
export type InboxEntry =
  | { readonly type: 'proposal'; readonly id: string; readonly proposal: Proposal }
  | { readonly type: 'batch'; readonly id: string; readonly proposals: readonly Proposal[] };

/** A line of the inbox: a heading, or what stands under it. */
export type InboxLine =
  | { readonly type: 'heading'; readonly title: string; readonly size: number }
  | InboxEntry;

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
  /** The lines without the headings. */
  readonly entries: readonly InboxEntry[];
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
  let elsewhere = 0;
  const words = options.search.toLowerCase().split(/\s+/).filter(Boolean);
  for (const proposal of all) {
    if (proposal.phase !== 'pending') continue;
    const group = groupOf(proposal, options);
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
    lines.push(...(place < 2 ? gather(group) : group.map(alone)));
  }
  const entries = lines.filter((line) => line.type !== 'heading');
  return { lines, entries, elsewhere };
}

/** What waits for this person, whatever is searched for; in no order. */
export function waitingFor(
  all: Iterable<Proposal>,
  who: Pick<InboxOptions, 'me' | 'rights'>,
): readonly Proposal[] {
  const waiting: Proposal[] = [];
  for (const proposal of all) {
    if (proposal.phase === 'pending' && groupOf(proposal, who) < 2) waiting.push(proposal);
  }
  return waiting;
}

const alone = (proposal: Proposal): InboxEntry => ({ type: 'proposal', id: proposal.id, proposal });

/** Fewer similar calls than this are shown one by one. */
const FEWEST = 3;

/** Puts similar calls of one proposer together, where the first of them stands. */
function gather(group: readonly Proposal[]): readonly InboxEntry[] {
  const similar = new Map<string, Proposal[]>();
  for (const proposal of group) {
    const id = batchOf(proposal);
    const batch = similar.get(id);
    if (batch === undefined) similar.set(id, [proposal]);
    else batch.push(proposal);
  }
  return [...similar].flatMap(([id, proposals]) =>
    proposals.length < FEWEST ? proposals.map(alone) : [{ type: 'batch', id, proposals } as const],
  );
}

const BATCH = 'batch ';

/** What calls have in common that are reviewed together, as an id that no proposal has: those have no spaces. */
function batchOf(proposal: Proposal): string {
  const known = batches.get(proposal);
  if (known !== undefined) return known;
  const { proposer, method, subject } = proposal;
  const id = `${BATCH}${JSON.stringify([proposer, method, subject?.name ?? ''])}`;
  batches.set(proposal, id);
  return id;
}

const batches = new WeakMap<Proposal, string>();

/** Whether an id in the address stands for similar calls together. */
export function isBatch(id: string): boolean {
  return id.startsWith(BATCH);
}

function groupOf(proposal: Proposal, { me, rights }: Pick<InboxOptions, 'me' | 'rights'>): 0 | 1 | 2 | 3 {
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
