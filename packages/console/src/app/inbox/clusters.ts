import type { Proposal } from '@proffer/core/operations';
import { batchOf, type InboxEntry } from './entry.js';
import { insert, type Order, remove } from './order.js';

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
export class Clusters {
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
