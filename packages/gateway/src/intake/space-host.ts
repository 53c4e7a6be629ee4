import {
  type Append,
  decideInSpace,
  type Envelope,
  emptySpace,
  evolveSpace,
  forgetProposal,
  isOver,
  isProposalRecord,
  nextDeadline,
  type OperationRecord,
  type Proposal,
  proposalStream,
  proposalsDependingOn,
  proposalsNamedBy,
  recallProposal,
  refuse,
  reviewInSpace,
  type SpaceSettings,
  type SpaceState,
} from '@proffer/core';
import { type AppendOutcome, type Journal, nativeSha256 } from '@proffer/journal';
import type { StoredOperation } from '../delivery/batch.js';
import { type Flight, Flights } from './flights.js';
import { findOriginals, type Original } from './original.js';
import { createPresence, type Presence } from './presence.js';
import { type Replay, replayAlone } from './replay.js';
import { NONE_REMOVED, neverWas, type Removed, readProposal } from './stored-proposal.js';
import type { Submission } from './submission.js';
import { createWatch, type Watch } from './watch.js';

export interface SpaceHostOptions {
  readonly journal: Journal;
  readonly settings: SpaceSettings;
  /** How history is read. Default by itself. */
  readonly replay?: Replay;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** For how long somebody who lost the connection is still counted as present, in milliseconds. */
  readonly absenceGrace: number;
  /** Somebody's absence began to count. */
  readonly onGone: (name: string) => void;
}

/** How often a message is decided again because somebody else was faster. */
const ATTEMPTS = 10;

/**
 * One space in this process: decides messages one after another on the newest state, without waiting
 * for the disk, and appends what was decided. The state is a fold over the journal and nothing else
 * (O-22); a message is acknowledged after it, and everything before it, is durable.
 */
export class SpaceHost {
  readonly settings: SpaceSettings;
  readonly presence: Presence;
  readonly #journal: Journal;
  readonly #clock: () => number;
  readonly #watching: Watch<Proposal>;
  #space: SpaceState;
  readonly #flights = new Flights();
  /** An append failed: the flight that everything was taken back to; nothing is decided until all have landed. */
  #failed: Flight | undefined;
  #replaying = true;
  #stopping = false;

  private constructor({ journal, settings, clock, absenceGrace, onGone }: SpaceHostOptions) {
    this.settings = settings;
    this.#journal = journal;
    this.#clock = clock;
    this.#space = emptySpace(settings);
    this.#watching = createWatch({
      clock,
      keepFor: settings.dedupWindow,
      dueAt: nextDeadline,
      isOver,
      onDue: (id) => this.#review(id),
      onOver: (id) => {
        this.#space = forgetProposal(this.#space, id);
      },
    });
    this.presence = createPresence(absenceGrace, (name) => {
      this.#reviewDependents(name);
      onGone(name);
    });
  }

  /** Folds the history of the space. Until this settles the space is not ready. */
  static async open(options: SpaceHostOptions): Promise<{ host: SpaceHost; seq: number }> {
    const host = new SpaceHost(options);
    const { settings, journal, replay = replayAlone(journal) } = options;
    try {
      const seq = await replay(settings.name, (record) => host.fold(record as StoredOperation));
      host.#begin();
      return { host, seq };
    } catch (error) {
      host.stop();
      throw error;
    }
  }

  /** What is durable of the space: nothing is shown that could still turn out not to have happened (I-1). */
  get state(): SpaceState {
    return this.#flights.oldest?.before ?? this.#space;
  }

  /** How many proposals are in memory. */
  get size(): number {
    return this.#space.proposals.size;
  }

  /** Takes in a record that the journal gave; one that this host decided itself is known already. */
  fold(record: StoredOperation): void {
    this.#flights.note(record);
    this.#learn(record);
  }

  /**
   * Brings back what a message refers to and memory has let go; settles with those that retention has
   * removed, which `submit` must know. Nothing to wait for when all is there, which it nearly always is.
   */
  prepare(envelope: Envelope): Promise<Removed> | undefined {
    const missing = proposalsNamedBy(envelope).filter(
      (id) => !this.#space.proposals.has(id) && !neverWas(this.#journal, this.settings.name, id),
    );
    return missing.length === 0 ? undefined : this.#recall(missing);
  }

  /** Decides an authorised message at once, and says what became of it when that is certain. */
  async submit(envelope: Envelope, removed: Removed = NONE_REMOVED): Promise<Submission> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      while (this.#failed !== undefined) await this.#flights.landed();
      if (this.#stopping) return refused('The gateway is closing.');
      const decision = decideInSpace(this.#space, envelope, this.#surroundings(removed));
      if (decision.refused !== undefined) return { status: 'refused', refusal: decision.refused };
      if (decision.unchanged === 'late') return { status: 'late' };
      const submission =
        decision.appends === undefined
          ? await findOriginals(this.#journal, envelope, decision.originals ?? this.#firstOf(envelope))
          : await this.#append(decision.appends);
      if (submission !== undefined) return submission;
    }
    return refused('Others were faster each time.');
  }

  /** One proposal, as far as it is durable, from memory or from the journal. */
  async proposal(id: string): Promise<Proposal | undefined> {
    const known = this.state.proposals.get(id) ?? (await this.#read(id));
    return known === 'removed' ? undefined : known;
  }

  /** Takes no more messages, and settles when it is certain what becomes of those it took. */
  async drain(): Promise<void> {
    this.#stopping = true;
    await this.#flights.landed();
  }

  stop(): void {
    this.#stopping = true;
    this.#watching.stop();
    this.presence.stop();
  }

  /** Only now, with all of history known, can anything be due. */
  #begin(): void {
    this.#replaying = false;
    for (const id of this.#space.proposals.keys()) this.#watch(id);
    // Nobody had the time to come back: who is missing after the grace is absent.
    this.presence.start(() => {
      for (const name of this.#space.dependents.keys()) {
        if (!this.presence.isPresent(name)) this.#reviewDependents(name);
      }
    });
  }

  /** Nothing when another gateway was first: what it wrote is known now, and it is to be decided again. */
  async #append(appends: readonly Append[]): Promise<Submission | undefined> {
    const flying = appends.map((append) => this.#appendOne(append));
    const [only] = flying;
    // Nearly always it is one: waiting for several costs more.
    const settled = only !== undefined && flying.length === 1 ? [await only] : await Promise.all(flying);
    const failed = settled.find((outcome) => outcome.status === 'unavailable');
    if (failed?.status === 'unavailable') return { status: 'refused', refusal: failed.refusal };
    if (settled.some(({ status }) => status === 'conflict')) {
      for (const append of appends) await this.#refresh(append);
      return undefined;
    }
    const records = settled.flatMap((outcome) => (outcome.status === 'appended' ? outcome.records : []));
    return { status: 'accepted', records: records as StoredOperation[] };
  }

  async #appendOne({ stream, expectedVersion, records }: Append): Promise<AppendOutcome> {
    const flight = this.#flights.begin(this.#space);
    for (const record of records) this.#evolve(record);
    const outcome = await this.#journal.append(stream, expectedVersion, records);
    if (outcome.status === 'appended') {
      for (const record of outcome.records) this.fold(record as StoredOperation);
    } else {
      this.#takeBack(flight);
      for (const record of records) if (isProposalRecord(record)) this.#watch(record.facts.proposal);
    }
    this.#flights.end(flight);
    if (this.#flights.oldest === undefined) this.#failed = undefined;
    return outcome;
  }

  /** Goes back to the state before an append that failed, and takes in again all that is durable. */
  #takeBack(flight: Flight): void {
    if (this.#failed !== undefined && this.#failed.number < flight.number) return;
    this.#failed = flight;
    this.#space = flight.before;
    for (const record of this.#flights.since(flight)) this.#learn(record);
  }

  /** After a conflict: takes in what the stream has in the journal. */
  async #refresh({ stream, records }: Append): Promise<void> {
    const [first] = records;
    if (first === undefined) return;
    for await (const record of this.#journal.read(stream, this.#versionOf(first) + 1)) {
      this.fold(record as StoredOperation);
    }
  }

  async #recall(ids: readonly string[]): Promise<Removed> {
    const removed = new Set<string>();
    for (const id of ids) {
      const proposal = await this.#read(id);
      if (proposal === 'removed') removed.add(id);
      if (typeof proposal !== 'object' || this.#space.proposals.has(id)) continue;
      this.#space = recallProposal(this.#space, proposal);
      this.#watch(id);
    }
    return removed;
  }

  async #read(id: string): Promise<Proposal | 'removed' | undefined> {
    return await readProposal(this.#journal, this.settings.name, id);
  }

  #learn(record: StoredOperation): void {
    // Of a proposal that was let go only its beginning could be folded; it is recalled when needed.
    if (this.#versionOf(record) + 1 === record.version) this.#evolve(record);
  }

  #versionOf(record: OperationRecord): number {
    const entity = isProposalRecord(record)
      ? this.#space.proposals.get(record.facts.proposal)
      : this.#space.participants.get(record.facts.participant);
    return entity?.version ?? 0;
  }

  #evolve(record: OperationRecord): void {
    this.#space = evolveSpace(this.#space, record);
    if (isProposalRecord(record)) this.#watch(record.facts.proposal);
  }

  /** A proposal is known for ever, longer than its id is remembered: it begins its stream. */
  #firstOf({ id, kind }: Envelope): readonly Original[] {
    return kind.startsWith('mcp.proposal.')
      ? [{ stream: proposalStream(this.settings.name, id), version: 1 }]
      : [];
  }

  #watch(id: string): void {
    if (!this.#replaying) this.#watching.see(id, this.#space.proposals.get(id));
  }

  #review(id: string): void {
    if (this.#stopping) return;
    if (this.#failed !== undefined) {
      this.#watching.retry(id);
      return;
    }
    const { appends = [] } = reviewInSpace(this.#space, id, this.#surroundings());
    for (const append of appends) void this.#appendOrRetry(id, append);
  }

  async #appendOrRetry(id: string, append: Append): Promise<void> {
    const { status } = await this.#appendOne(append);
    if (status === 'unavailable') this.#watching.retry(id);
  }

  #reviewDependents(name: string): void {
    for (const id of proposalsDependingOn(this.#space, name)) this.#review(id);
  }

  #surroundings(removed: Removed = NONE_REMOVED) {
    return {
      now: this.#clock(),
      isRemoved: (id: string) => removed.has(id),
      isPresent: (name: string) => this.presence.isPresent(name),
      hash: nativeSha256,
    };
  }
}

function refused(what: string): Submission {
  return { status: 'refused', refusal: refuse('unavailable', what) };
}
