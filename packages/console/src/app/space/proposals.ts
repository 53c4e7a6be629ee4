import { type JsonObject, textOf } from '@proffer/core/json';
import {
  evolveProposal,
  isProposalRecord,
  type Proposal,
  readProposalView,
  type SealedOperation,
} from '@proffer/core/operations';

/** How many finished proposals are kept. */
const MOST_ENDED = 1_000;

/**
 * The proposals of a space, folded by core from the records that come in, beginning with what the gateway said was
 * pending. Finished proposals stay for a while, with the executor's answer.
 */
export class Proposals {
  readonly #known = new Map<string, Proposal>();
  readonly #answers = new Map<string, JsonObject>();
  /** What proposers said in their own words; empty where they said nothing. */
  readonly #reasons = new Map<string, string>();
  readonly #ended = new Set<string>();
  readonly #listeners = new Set<(id: string) => void>();
  /** Records of proposals that are not known yet, while the list of those pending is still being read. */
  #early: SealedOperation[] | undefined = [];

  get(id: string): Proposal | undefined {
    return this.#known.get(id);
  }

  values(): IterableIterator<Proposal> {
    return this.#known.values();
  }

  /** Those that are over. */
  *ended(): Generator<Proposal> {
    for (const id of this.#ended) {
      const proposal = this.#known.get(id);
      if (proposal !== undefined) yield proposal;
    }
  }

  /** Tells which proposal changed, came or is no longer kept. Returns how to stop listening. */
  onChange(listener: (id: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** What was answered when it ran: a JSON-RPC response. */
  answer(id: string): JsonObject | undefined {
    return this.#answers.get(id);
  }

  /** Why its proposer asks, in its own words; `undefined` while that is not known, empty if it did not say. */
  reason(id: string): string | undefined {
    return this.#reasons.get(id);
  }

  /** Adds what the gateway lists. What arrived as records in the meantime is newer. */
  list(views: readonly JsonObject[]): void {
    for (const view of views) {
      const proposal = readProposalView(view);
      const known = this.#known.get(proposal.id);
      if (known === undefined || known.version < proposal.version) this.#set(proposal);
    }
    for (const record of this.#early ?? []) this.#fold(record);
  }

  /** Everything pending was listed: a record of an unknown proposal is of one that was over already. */
  finishListing(): void {
    this.#early = undefined;
  }

  /** Whether the list of what is pending is complete. */
  get isListed(): boolean {
    return this.#early === undefined;
  }

  /** Folds a record; false if it changed nothing that is kept here. */
  take(record: SealedOperation): boolean {
    if (this.#fold(record)) return true;
    this.#early?.push(record);
    return false;
  }

  /** Adds what is known of a proposal from its own history, as when a link to it is opened. */
  add(
    proposal: Proposal,
    { answer, reason }: { readonly answer: JsonObject | undefined; readonly reason: string },
  ): void {
    const known = this.#known.get(proposal.id);
    if (known === undefined || known.version < proposal.version) this.#keep(proposal);
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
    if (this.#ended.size <= MOST_ENDED) return;
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

/** What a proposer says about its proposal, in its own words; empty if nothing. */
export function reasonIn({ reason }: JsonObject): string {
  return textOf(reason);
}
