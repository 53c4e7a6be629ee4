import { partsOf } from '@proffer/core/approvals';
import type { Proposal } from '@proffer/core/operations';
import type { Risk } from '@proffer/core/words';
import type { Proposals } from '../space/proposals.js';
import { nameOf } from '../space/tools.js';
import { Clusters } from './clusters.js';
import type { InboxEntry, InboxLine } from './entry.js';
import { type InboxFilter, passes } from './filter.js';
import { type Group, groupOf, TITLES, type Viewer } from './group.js';
import { ORDERS, type Sort } from './order.js';

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
