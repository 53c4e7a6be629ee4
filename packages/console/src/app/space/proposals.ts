import { type JsonObject, textOf } from '@proffer/core/json';
import {
  evolveProposal,
  isProposalRecord,
  type Proposal,
  readProposalView,
  type SealedOperation,
} from '@proffer/core/operations';

/** How many finished proposals are kept. */
const MAX_ENDED = 1_000;

/**
 * The proposals of a space, folded by core from incoming records, starting with the gateway's pending list.
 * Finished proposals stay for a while, with the executor's answer.
 */
export class Proposals {
  readonly #known = new Map<string, Proposal>();
  readonly #answers = new Map<string, JsonObject>();
  /** Proposers' own messages; empty if they gave none. */
  readonly #reasons = new Map<string, string>();
  readonly #ended = new Set<string>();
  readonly #listeners = new Set<(id: string) => void>();
  /** Records of unknown proposals, while the pending list is still being read. */
  #early: SealedOperation[] | undefined = [];

  get(id: string): Proposal | undefined {
    return this.#known.get(id);
  }

  values(): IterableIterator<Proposal> {
    return this.#known.values();
  }

  /** Finished proposals. */
  *ended(): Generator<Proposal> {
    for (const id of this.#ended) {
      const proposal = this.#known.get(id);
      if (proposal !== undefined) yield proposal;
    }
  }

  /** Reports which proposal changed, was added or dropped. Returns a function that unsubscribes. */
  onChange(listener: (id: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The JSON-RPC response of its execution. */
  answer(id: string): JsonObject | undefined {
    return this.#answers.get(id);
  }

  /** The proposer's reason, in its own words; `undefined` while unknown, empty if it gave none. */
  reason(id: string): string | undefined {
    return this.#reasons.get(id);
  }

  /**
   * Adds what the gateway lists. Records that arrived in the meantime are newer; of the same version, the gateway's view
   * is, since it also shows what is in no record of the proposal, such as the policy.
   */
  list(views: readonly JsonObject[]): void {
    for (const view of views) {
      const proposal = readProposalView(view);
      const known = this.#known.get(proposal.id);
      if (known === undefined || known.version <= proposal.version) this.#set(proposal);
    }
    for (const record of this.#early ?? []) this.#fold(record);
  }

  /** Everything pending was listed: a record of an unknown proposal belongs to one that had already ended. */
  finishListing(): void {
    this.#early = undefined;
  }

  /** Whether the pending list is complete. */
  get isListed(): boolean {
    return this.#early === undefined;
  }

  /** Folds a record; returns false if it changed nothing that is kept here. */
  take(record: SealedOperation): boolean {
    if (this.#fold(record)) return true;
    this.#early?.push(record);
    return false;
  }

  /** Adds a proposal from its own history, for example when a link to it is opened. */
  add(
    proposal: Proposal,
    { answer, reason }: { readonly answer: JsonObject | undefined; readonly reason: string },
  ): void {
    const known = this.#known.get(proposal.id);
    if (known === undefined || known.version <= proposal.version) this.#keep(proposal);
    if (answer !== undefined) this.#answers.set(proposal.id, answer);
    this.#reasons.set(proposal.id, reason);
  }

  #fold(record: SealedOperation): boolean {
    if (!isProposalRecord(record)) return false;
    const { proposal: id } = record.facts;
    const known = this.#known.get(id);
    if (known === undefined ? record.type !== 'proposed' : record.version <= known.version) return false;
    // With restricted visibility, there may be records in between that we may not see.
    this.#keep({ ...evolveProposal(known, record), version: record.version });
    if (record.type === 'proposed') this.#reasons.set(id, reasonIn(record.envelope.payload));
    if (record.type === 'answered') this.#answers.set(id, record.envelope.payload);
    return true;
  }

  #keep(proposal: Proposal): void {
    const { id, phase } = proposal;
    this.#set(proposal);
    if (phase === 'pending') return;
    this.#ended.delete(id);
    this.#ended.add(id);
    if (this.#ended.size <= MAX_ENDED) return;
    const [oldest = ''] = this.#ended;
    this.#ended.delete(oldest);
    this.#known.delete(oldest);
    this.#answers.delete(oldest);
    this.#reasons.delete(oldest);
    this.#tell(oldest);
  }

  #set(proposal: Proposal): void {
    this.#known.set(proposal.id, proposal);
    this.#tell(proposal.id);
  }

  #tell(id: string): void {
    for (const listener of this.#listeners) listener(id);
  }
}

/** The proposer's own message about its proposal; empty if none. */
export function reasonIn({ reason }: JsonObject): string {
  return textOf(reason);
}
