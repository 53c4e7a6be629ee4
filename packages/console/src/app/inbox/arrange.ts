import { newestFirst, partsOf } from '@proffer/core/approvals';
import type { Proposal } from '@proffer/core/operations';
import type { Risk } from '@proffer/core/words';
import type { Proposals } from '../space/proposals.js';
import { nameOf } from '../space/tools.js';
import { batchOf, type InboxEntry, type InboxLine } from './entry.js';
import { type InboxFilter, passes } from './filter.js';
import { type Group, groupOf, TITLES, type Viewer } from './group.js';

/** Fewer similar calls than this are shown one by one. */
const MIN_COUNT = 3;

/** Similar calls, whoever proposed them, in order. They take the position of the first. */
interface Cluster {
  readonly id: string;
  readonly members: Proposal[];
  /** Their summary; rebuilt after a change. */
  entries: readonly InboxEntry[] | undefined;
}

/** The items under one heading, in order. A change costs no more than finding its position. */
class Clusters {
  readonly #order: Order<Proposal>;
  readonly #byFirst: Order<Cluster>;
  /** Whether similar calls are grouped. */
  readonly #gathers: boolean;
  readonly #known = new Map<string, Cluster>();
  readonly #sorted: Cluster[] = [];
  #size = 0;

  constructor(order: Order<Proposal>, gathers: boolean) {
    this.#order = order;
    this.#gathers = gathers;
    this.#byFirst = (left, right) => order(left.members[0] as Proposal, right.members[0] as Proposal);
  }

  /** How many proposals there are. */
  get size(): number {
    return this.#size;
  }

  add(proposal: Proposal): void {
    this.#size++;
    const id = this.#clusterOf(proposal);
    const cluster = this.#known.get(id) ?? { id, members: [], entries: undefined };
    this.#known.set(id, cluster);
    this.#change(cluster, () => insert(cluster.members, proposal, this.#order));
  }

  /** Removes an item, as it was added. */
  delete(proposal: Proposal): void {
    const cluster = this.#known.get(this.#clusterOf(proposal));
    if (cluster === undefined) return;
    this.#size--;
    this.#change(cluster, () => remove(cluster.members, proposal, this.#order));
    if (cluster.members.length === 0) this.#known.delete(cluster.id);
  }

  /** Appends all entries in order. */
  appendTo(list: InboxEntry[]): void {
    for (const cluster of this.#sorted) {
      cluster.entries ??= entriesOf(cluster);
      for (const entry of cluster.entries) list.push(entry);
    }
  }

  #clusterOf(proposal: Proposal): string {
    return this.#gathers ? batchOf(proposal) : proposal.id;
  }

  /** A new first member may mean a new position. */
  #change(cluster: Cluster, change: () => void): void {
    if (cluster.members.length > 0) remove(this.#sorted, cluster, this.#byFirst);
    change();
    if (cluster.members.length > 0) insert(this.#sorted, cluster, this.#byFirst);
    cluster.entries = undefined;
  }
}

function entriesOf({ id, members }: Cluster): readonly InboxEntry[] {
  if (members.length >= MIN_COUNT) return [{ type: 'batch', id, proposals: [...members] }];
  return members.map((proposal) => ({ type: 'proposal', id: proposal.id, proposal }));
}

/** How many characters of very long arguments are searched. */
const LONGEST = 20_000;

/** Whether all words of a search are in a proposal: proposer, tool and arguments. */
function isFound(proposal: Proposal, search: string): boolean {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return words.every((word) => textOf(proposal).includes(word));
}

const texts = new WeakMap<Proposal, string>();

function textOf(proposal: Proposal): string {
  const before = texts.get(proposal);
  if (before !== undefined) return before;
  const { proposer, id } = proposal;
  const given = JSON.stringify(partsOf(proposal)).slice(0, LONGEST);
  const text = `${proposer} ${nameOf(proposal)} ${id} ${given}`.toLowerCase();
  texts.set(proposal, text);
  return text;
}

export interface InboxOptions extends Viewer {
  readonly sort: Sort;
  readonly search: string;
  /** Also what others have to decide. */
  readonly all: boolean;
  readonly filter: InboxFilter;
  /** Another function if risks may have changed. */
  readonly riskOf: (proposal: Proposal) => Risk;
}

/** The contents of the inbox. */
export interface Arranged {
  readonly lines: readonly InboxLine[];
  /** The lines without the headings. */
  readonly entries: readonly InboxEntry[];
  /** Which lines are headings. */
  readonly headings: readonly number[];
  /** How many pending proposals this user has no say in. */
  readonly elsewhere: number;
  /** Who proposed what is pending, in alphabetical order. */
  readonly agents: readonly string[];
}

/** The position of a proposal, and the version that was placed there. */
interface Placed {
  readonly proposal: Proposal;
  readonly group: Group;
  readonly isListed: boolean;
}

/**
 * Arranges pending proposals: first what you are asked, then whatever else you may decide. Only what changed
 * is moved, so that a list of thousands can follow hundreds of changes a second.
 */
export class Arrangement {
  readonly #proposals: Proposals;
  readonly #stop: () => void;
  readonly #changed = new Set<string>();
  readonly #placed = new Map<string, Placed>();
  #groups: readonly Clusters[] = [];
  #elsewhere = 0;
  /** How many pending proposals each has. */
  readonly #agents = new Map<string, number>();
  #options: InboxOptions | undefined;
  #arranged: Arranged | undefined;

  constructor(proposals: Proposals) {
    this.#proposals = proposals;
    this.#stop = proposals.onChange((id) => this.#changed.add(id));
  }

  /** The current contents. The same object as before if nothing changed. */
  by(options: InboxOptions): Arranged {
    if (this.#options === undefined || !areSame(this.#options, options)) this.#begin(options);
    for (const id of this.#changed) {
      this.#place(id, options);
      this.#arranged = undefined;
    }
    this.#changed.clear();
    return this.latest;
  }

  /** The contents when last arranged. */
  get latest(): Arranged {
    this.#arranged ??= this.#list();
    return this.#arranged;
  }

  /** Stops following the proposals. */
  close(): void {
    this.#stop();
  }

  #begin(options: InboxOptions): void {
    this.#options = options;
    this.#placed.clear();
    this.#elsewhere = 0;
    this.#agents.clear();
    this.#arranged = undefined;
    this.#groups = TITLES.map((_, group) => new Clusters(ORDERS[options.sort], group < 2));
    for (const { id } of this.#proposals.values()) this.#changed.add(id);
  }

  #place(id: string, options: InboxOptions): void {
    const before = this.#placed.get(id);
    if (before?.group === 3) this.#elsewhere--;
    if (before !== undefined) this.#count(before.proposal.proposer, -1);
    if (before?.isListed === true) this.#groups[before.group]?.delete(before.proposal);
    this.#placed.delete(id);
    const proposal = this.#proposals.get(id);
    if (proposal?.phase !== 'pending') return;
    const group = groupOf(proposal, options);
    if (group === 3) this.#elsewhere++;
    this.#count(proposal.proposer, 1);
    const { all, search, filter, riskOf } = options;
    const isListed =
      (group !== 3 || all) && passes(filter, { proposal, group, riskOf }) && isFound(proposal, search);
    this.#placed.set(id, { proposal, group, isListed });
    if (isListed) this.#groups[group]?.add(proposal);
  }

  #count(agent: string, by: 1 | -1): void {
    const size = (this.#agents.get(agent) ?? 0) + by;
    if (size === 0) this.#agents.delete(agent);
    else this.#agents.set(agent, size);
  }

  #list(): Arranged {
    const lines: InboxLine[] = [];
    const entries: InboxEntry[] = [];
    const headings: number[] = [];
    for (const [place, group] of this.#groups.entries()) {
      if (group.size === 0) continue;
      headings.push(lines.length);
      lines.push({ type: 'heading', title: TITLES[place] ?? '', size: group.size });
      const from = entries.length;
      group.appendTo(entries);
      for (let at = from; at < entries.length; at++) lines.push(entries[at] as InboxEntry);
    }
    const agents = [...this.#agents.keys()].sort();
    return { lines, entries, headings, elsewhere: this.#elsewhere, agents };
  }
}

function areSame(left: InboxOptions, right: InboxOptions): boolean {
  return (
    left.me === right.me &&
    left.rights === right.rights &&
    left.sort === right.sort &&
    left.search === right.search &&
    left.all === right.all &&
    left.filter === right.filter &&
    // Without a filter for it, no risk decides what is listed.
    (left.filter.risk === undefined || left.riskOf === right.riskOf)
  );
}

/** The sort order of pending proposals. */
export type Sort = 'newest' | 'least time left';

/**
 * Which of two comes first. Never 0 for two different ones: it is used to find positions in a sorted list.
 */
export type Order<Item> = (left: Item, right: Item) => number;

const ORDERS: Readonly<Record<Sort, Order<Proposal>>> = {
  newest: newestFirst,
  'least time left': (left, right) => deadline(left) - deadline(right) || newestFirst(right, left),
};

/** A number, so that two without a deadline can be subtracted. */
const deadline = ({ expiresAt }: Proposal): number => expiresAt ?? Number.MAX_VALUE;

/** Adds an item to a sorted list. */
export function insert<Item>(list: Item[], item: Item, order: Order<Item>): void {
  list.splice(placeOf(list, item, order), 0, item);
}

/** Removes an item from a sorted list that contains it. */
export function remove<Item>(list: Item[], item: Item, order: Order<Item>): void {
  list.splice(placeOf(list, item, order), 1);
}

/** How many items of a sorted list come before one. */
function placeOf<Item>(list: readonly Item[], item: Item, order: Order<Item>): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (order(list[middle] as Item, item) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
