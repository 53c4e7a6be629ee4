import { type Envelope } from '@proffer/core';
import { type JsonObject } from '@proffer/core/json';
import {
  type Append,
  decideInSpace,
  forgetProposal,
  isOver,
  nextDeadline,
  type Proposal,
  proposalsNamedBy,
  reviewInSpace,
  type SpaceDecision,
  type SpaceSettings,
  type SpaceState,
  viewPending,
} from '@proffer/core/operations';
import type { AppendOutcome, Journal } from '@proffer/journal';
import type { StoredOperation } from '../delivery/index.js';
import { createUnderWay, createWatch, LiveSpace, type Watch } from '../host/index.js';
import { replayAlone } from '../journal/index.js';
import { createDependentReviews, type DependentReviews } from './dependent-reviews.js';
import { createGrantDesk, type GrantDesk } from './grant-desk.js';
import { createOriginals, type Original, type Originals } from './original.js';
import { createPresence, type Presence } from './presence.js';
import type { SpaceHostOptions } from './space-host-options.js';
import {
  firstRecord,
  isNew,
  NONE_REMOVED,
  type Removed,
  readProposal,
  readRecall,
} from './stored-proposal.js';
import {
  type Answer,
  again,
  answerTo,
  type Incoming,
  isSameAnswer,
  type Message,
  MOST_ATTEMPTS,
  refused,
  type Settle,
  submissionOf,
} from './submission.js';
import { createSurroundings } from './surroundings.js';

/**
 * One space in this process: decides messages one after another on the newest state, without waiting
 * for the disk, and appends what was decided. A message is acknowledged after it, and everything before
 * it, is durable.
 */
export class SpaceHost {
  readonly settings: SpaceSettings;
  readonly presence: Presence;
  /** What is to be looked at again. */
  readonly dependents: DependentReviews;
  readonly #journal: Journal;
  readonly #originals: Originals;
  readonly #onFault: (error: unknown) => void;
  readonly #watching: Watch<Proposal>;
  readonly #space: LiveSpace;
  readonly #surroundings: ReturnType<typeof createSurroundings>;
  readonly grants: GrantDesk;
  /** Answers that first have to read the journal. */
  readonly #answering = createUnderWay();
  #replaying = true;
  #stopping = false;

  private constructor(options: SpaceHostOptions) {
    const { journal, settings, clock, absenceGrace, onGone, onFault } = options;
    this.settings = settings;
    this.#journal = journal;
    this.#originals = createOriginals(journal, () => this.#stopping);
    this.#onFault = onFault;
    this.#space = new LiveSpace({
      journal,
      settings,
      onChanged: (id) => this.#watch(id),
      onAnnounced: (name) => this.#replaying || this.dependents.about(name),
      onFault,
    });
    this.#watching = createWatch({
      clock,
      keepFor: settings.dedupWindow,
      dueAt: nextDeadline,
      isOver,
      onDue: (id) => this.#review(id),
      onOver: (id) => {
        this.#space.adjust((space) => forgetProposal(space, id));
        if (this.#space.newest.proposals.has(id)) this.#watch(id);
      },
    });
    this.dependents = createDependentReviews(
      () => this.#space.newest,
      (id) => this.#review(id),
    );
    this.presence = createPresence(absenceGrace, (name) => {
      this.dependents.about(name);
      this.grants.left(name);
      onGone(name);
    });
    this.#surroundings = createSurroundings(clock, this.presence, options.standingByName);
    this.grants = createGrantDesk(this.#space, () => this.#surroundings());
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
    return this.#space.durable;
  }

  /** How many proposals are in memory. */
  get size(): number {
    return this.#space.newest.proposals.size;
  }

  /** Takes in a record that the journal gave; one that this host decided itself is known already. */
  fold(record: StoredOperation): void {
    this.#space.fold(record);
  }

  /**
   * Brings back what a message refers to and memory has let go; settles with those that retention has
   * removed, which `submit` must know. Nothing to wait for when all is there, which it nearly always is.
   */
  prepare(envelope: Envelope): Promise<Removed> | undefined {
    const { proposals } = this.#space.newest;
    const missing = proposalsNamedBy(envelope).filter(
      (id) => !proposals.has(id) && !isNew(this.#journal, this.settings.name, envelope, id),
    );
    return missing.length === 0 ? undefined : this.#recall(missing);
  }

  /**
   * Decides an authorised message at once.
   *
   * @param settle - called once, when it is certain what became of it; perhaps before this returns
   */
  submit({ envelope, sender, grant }: Incoming, settle: Settle, removed: Removed = NONE_REMOVED): void {
    this.#decide({ envelope, sender, grant, settle, removed, attempt: 1 });
  }

  /** One proposal, as far as it is durable, from memory or from the journal. */
  async proposal(id: string): Promise<Proposal | undefined> {
    const known = this.state.proposals.get(id) ?? (await readProposal(this.#journal, this.settings.name, id));
    return known === 'removed' ? undefined : known;
  }

  /** A proposal as it is shown, with who would run it while it is pending. */
  view(proposal: Proposal): JsonObject {
    return viewPending(this.state, proposal, this.#surroundings());
  }

  /** Takes no more messages, and settles when it is certain what becomes of those it took. */
  async drain(): Promise<void> {
    this.#stopping = true;
    await this.#space.landed();
    await this.#answering.done();
  }

  stop(): void {
    this.#stopping = true;
    this.#watching.stop();
    this.presence.stop();
  }

  /** Only now, with all of history known, can anything be due. */
  #begin(): void {
    this.#replaying = false;
    for (const id of this.#space.newest.proposals.keys()) this.#watch(id);
    // Nobody had the time to come back: who is missing after the grace is absent.
    this.presence.start(() => {
      for (const name of this.#space.newest.dependents.keys())
        if (!this.presence.isPresent(name)) this.dependents.about(name);
      this.grants.begin((name) => this.presence.isPresent(name));
    });
    this.dependents.afterStart();
  }

  #decide(message: Message): void {
    const { settle, attempt } = message;
    if (this.#space.isUncertain) {
      void this.#space.landed().then(() => this.#decide(message));
    } else if (this.#stopping) {
      settle(refused('The gateway is closing.'));
    } else if (attempt > MOST_ATTEMPTS) {
      settle(refused('Others were faster each time.'));
    } else {
      this.#decideNow(message);
    }
  }

  #decideNow(message: Message): void {
    const { durable, newest } = this.#space;
    let decision: SpaceDecision;
    let certain: Answer | undefined;
    try {
      decision = this.#decision(newest, message);
      certain = answerTo(decision);
      if (certain !== undefined && durable !== newest) certain = answerTo(this.#decision(durable, message));
    } catch (error) {
      // A fault of ours in one message must not take the others with it.
      this.#onFault(error);
      return message.settle(refused('The message could not be decided.'));
    }
    const { appends, inOrder } = decision;
    const answer = answerTo(decision);
    if (answer !== undefined) this.#answer(message, answer, certain);
    else if (appends === undefined) this.#repeat(message, decision.originals);
    else this.#space.append(appends, (outcomes) => this.#settle(message, outcomes, appends), inOrder);
  }

  /** An answer that rests on what is on its way waits for it: that may still turn out not to have happened (I-1). */
  #answer(message: Message, answer: Answer, certain: Answer | undefined): void {
    if (certain !== undefined && isSameAnswer(answer, certain)) message.settle(certain);
    else this.#answering.add(this.#space.landed().then(() => this.#decide(again(message))));
  }

  #decision(state: SpaceState, { envelope, sender, grant, removed }: Message): SpaceDecision {
    return decideInSpace(state, envelope, this.#surroundings(removed, sender, grant));
  }

  /** The message came before: it is told what the first one was told, or is the first after all. */
  #repeat(message: Message, known?: readonly Original[]): void {
    const originals = known ?? firstRecord(this.settings.name, message.envelope);
    const recalled = this.#originals.recall(message.envelope, originals);
    if (recalled === undefined) this.#answering.add(this.#lookFor(message, originals));
    else message.settle(recalled);
  }

  async #lookFor(message: Message, originals: readonly Original[]): Promise<void> {
    const found = await this.#originals.find(message.envelope, originals).catch((error: unknown) => {
      this.#onFault(error);
      return refused('The journal could not be read.');
    });
    if (found === undefined) this.#decide(again(message));
    else message.settle(found);
  }

  #settle(message: Message, outcomes: readonly AppendOutcome[], appends: readonly Append[]): void {
    const submission = submissionOf(outcomes);
    if (submission === undefined) this.#answering.add(this.#decideAgain(message, appends));
    else message.settle(submission);
  }

  /** Another gateway was first: what it wrote is taken in, and the message decided on that. */
  async #decideAgain(message: Message, appends: readonly Append[]): Promise<void> {
    try {
      for (const append of appends) await this.#space.refresh(append);
    } catch (error) {
      this.#onFault(error);
      return message.settle(refused('The journal could not be read.'));
    }
    this.#decide(again(message));
  }

  async #recall(ids: readonly string[]): Promise<Removed> {
    const removed = new Set<string>();
    for (const id of ids) {
      const recall = await readRecall(this.#journal, this.settings.name, id);
      if (recall === 'removed') removed.add(id);
      if (typeof recall !== 'function' || this.#space.newest.proposals.has(id)) continue;
      this.#space.adjust(recall);
      this.#watch(id);
    }
    return removed;
  }

  #watch(id: string): void {
    if (this.#replaying) return;
    this.#watching.see(id, this.#space.newest.proposals.get(id));
    this.dependents.after(id);
  }

  #review(id: string): void {
    if (this.#stopping) return;
    if (this.#space.isUncertain) return this.#watching.retry(id);
    const { appends = [] } = reviewInSpace(this.#space.newest, id, this.#surroundings());
    if (appends.length === 0) return;
    this.#space.append(appends, (outcomes) => {
      // Also when another gateway was first: what it wrote comes with the feed in a moment.
      if (outcomes.some(({ status }) => status !== 'appended')) this.#watching.retry(id);
    });
  }
}
