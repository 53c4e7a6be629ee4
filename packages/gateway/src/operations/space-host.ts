import type { Envelope, Refusal } from '@proffer/core';
import type { JsonObject } from '@proffer/core/json';
import {
  type AgreedOutcome,
  type AssertionCheck,
  agreeInSpace,
  type DecisionContext,
  endSession,
  evictProposal,
  grantFor,
  isOver,
  isProposalRecord,
  isRepeat,
  nextDeadline,
  type OperationRecord,
  type Proposal,
  proposalAgreedOn,
  proposalStream,
  proposalsNamedBy,
  reviewInSpace,
  type SpaceSettings,
  type SpaceState,
  viewPending,
} from '@proffer/core/operations';
import { type Journal, JournalError } from '@proffer/journal';
import type { Undecided } from '../closing.js';
import { isStreamKind, type StoredOperation } from '../delivery/index.js';
import { createWatch, type DecisionInFlight, LiveState, type Watch } from '../host/index.js';
import { type AddSalts, type Replay, saltingJournal } from '../journal/index.js';
import { createDecisionContext, type RightsByName } from './decision-context.js';
import { createDependentReviews, type DependentReviews } from './dependent-reviews.js';
import { createOriginals } from './past/original.js';
import {
  isNew,
  NONE_REMOVED,
  type Removed,
  readProposal,
  readRecall,
  replayHistory,
} from './past/stored-proposal.js';
import { createPresence, type Presence } from './presence.js';
import type { Incoming, SettleMessage } from './space-message-outcome.js';
import { spaceFold, spaceRules } from './space-rules.js';
import { createSubmitMessage, type SubmitMessage } from './submit-message.js';

export interface SpaceHostOptions {
  readonly journal: Journal;
  /** Default: values cannot be hidden. */
  readonly addSalts?: AddSalts | undefined;
  readonly settings: SpaceSettings;
  /** How history is read. Default: on its own. */
  readonly replay?: Replay;
  /** What a snapshot already contains of that. Default: nothing. */
  readonly from?: SpaceState | undefined;
  /** Called with the state when history is read, before it changes. */
  readonly onReplayed?: ((state: SpaceState) => void) | undefined;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** How long a participant that lost its connection still counts as present, in milliseconds. */
  readonly absenceGrace: number;
  /** A participant's absence started to count. */
  readonly onGone: (name: string) => void;
  /** The rights of a participant that is not connected. Default: unknown. */
  readonly rightsByName?: RightsByName;
  /** Checks the signatures of decisions (O-49). Default: none is valid. */
  readonly checkAssertion?: AssertionCheck | undefined;
  /** An internal error. */
  readonly onFault: (error: unknown) => void;
}

/** The host's part of grants (O-41): finding them, and ending them with a session. */
interface HostedGrants {
  /** The grant that allows a message; `undefined` if none does. Uses only durable state. */
  find(envelope: Envelope): string | undefined;
  /** A participant left: grants that last as long as it is present end. */
  left(name: string): void;
  /** After a start, for everyone who did not come back. */
  begin(isPresent: (name: string) => boolean): void;
}

function createHostedGrants(
  space: LiveState<SpaceState, OperationRecord>,
  context: () => DecisionContext,
): HostedGrants {
  function left(name: string): void {
    if (space.isRefreshing) {
      void space.idle().then(() => left(name));
      return;
    }
    const append = endSession(space.newest, name, context().now);
    if (append === undefined) return;
    space.append([append], ({ outcomes: [outcome] }) => {
      // Another gateway wrote to the same stream first, or it never left: the rest ends then.
      if (outcome === undefined || outcome.status === 'conflict') left(name);
    });
  }

  return {
    find(envelope) {
      const { durable } = space;
      if (isStreamKind(envelope.kind)) return undefined;
      const grant = durable.grants.size === 0 ? undefined : grantFor(durable, envelope, context());
      // A repeat of the message that spent the last use gets the original outcome; nothing new is accepted.
      return grant?.id ?? (isRepeat(durable, envelope, context().now) ? NO_GRANT : undefined);
    },
    left,
    begin(isPresent) {
      for (const name of new Set(space.newest.grants.values())) if (!isPresent(name)) left(name);
    },
  };
}

/** Not the id of a grant: what depends on it is refused unless it was accepted before. */
const NO_GRANT = '';

/** How long a finished proposal stays in memory, in milliseconds; later it is read again when a message needs it. */
const KEPT = 5_000;

/** How many undecided messages are named. */
const MAX_IDS = 100;

/** One space in this process: the rules of a space, hosted by the engine that negotiations share. */
export class SpaceHost {
  readonly settings: SpaceSettings;
  readonly presence: Presence;
  /** What has to be reviewed again. */
  readonly dependents: DependentReviews;
  readonly #journal: Journal;
  readonly #watching: Watch<Proposal>;
  readonly #live: LiveState<SpaceState, OperationRecord>;
  readonly #submit: SubmitMessage;
  readonly #context: ReturnType<typeof createDecisionContext>;
  readonly grants: HostedGrants;
  /** Messages that are not settled. */
  #unsettled = 0;
  #onSettled = (): void => {};
  #stopping = false;

  private constructor(options: SpaceHostOptions) {
    const { journal, settings, clock, absenceGrace, rightsByName, checkAssertion, onGone, onFault } = options;
    this.settings = settings;
    this.#journal = journal;
    this.#live = new LiveState<SpaceState, OperationRecord>({
      journal: saltingJournal(journal, options.addSalts),
      fold: spaceFold(settings),
      onChanged: (record) => this.#seeChange(record),
      onDurable: (_, records) => this.dependents.after(records),
      onFault,
    });
    this.#watching = createWatch({
      clock,
      keepFor: Math.min(KEPT, settings.dedupWindow),
      dueAt: nextDeadline,
      isOver,
      onDue: (id) => this.#review(id),
      onOver: (ids) => {
        // Read again, one whose end is still on its way would be as it was before.
        const ended = ids.filter((id) => !this.#live.isUncertain(proposalStream(settings.name, id)));
        if (ended.length > 0) this.#live.adjust((space) => ended.reduce(evictProposal, space));
        for (const id of ids) if (this.#live.newest.proposals.has(id)) this.#watch(id);
      },
    });
    this.dependents = createDependentReviews(
      () => this.#live.newest,
      (id) => this.#review(id),
    );
    this.presence = createPresence(absenceGrace, (name) => {
      this.dependents.about(name);
      this.grants.left(name);
      onGone(name);
    });
    const durableOf = (id: string): Proposal | undefined => this.state.proposals.get(id);
    this.#context = createDecisionContext(clock, this.presence, { rightsByName, durableOf, checkAssertion });
    this.#submit = createSubmitMessage({
      live: this.#live,
      rules: spaceRules(this.#context, () => this.#stopping),
      originals: createOriginals(journal, () => this.#stopping),
      space: settings.name,
      prepare: (envelope) => this.prepare(envelope),
      onSettled: () => {
        if (--this.#unsettled === 0) this.#onSettled();
      },
      onFault,
    });
    this.grants = createHostedGrants(this.#live, () => this.#context());
  }

  /** Folds the history of the space. Until this resolves the space is not ready. */
  static async open(options: SpaceHostOptions): Promise<{ host: SpaceHost; seq: number }> {
    const host = new SpaceHost(options);
    try {
      const { state, seq } = await replayHistory(options);
      options.onReplayed?.(state);
      host.#begin(state);
      return { host, seq };
    } catch (error) {
      host.stop();
      throw error;
    }
  }

  /** The durable state of the space: nothing that could still fail is shown (I-1). */
  get state(): SpaceState {
    return this.#live.durable;
  }

  /** How many proposals are in memory. */
  get size(): number {
    return this.#live.newest.proposals.size;
  }

  /** Folds a record from the journal; one that this host decided itself is already known. */
  fold(record: StoredOperation): void {
    this.#live.fold(record);
  }

  /**
   * Recalls evicted entities that a message refers to; resolves with those that retention has removed, which
   * `submit` must know. Nothing to wait for if everything is in memory, which it nearly always is.
   */
  prepare(envelope: Envelope): Promise<Removed> | undefined {
    const { proposals } = this.#live.newest;
    let missing: string[] | undefined;
    for (const id of proposalsNamedBy(this.#live.newest, envelope)) {
      if (proposals.has(id) || isNew(this.#journal, this.settings.name, envelope, id)) continue;
      missing ??= [];
      missing.push(id);
    }
    return missing === undefined ? undefined : this.#recall(missing);
  }

  /** Decides an authorised message at once. `settle` is called once, when the outcome is certain; perhaps now. */
  submit(incoming: Incoming, settle: SettleMessage, removed: Removed = NONE_REMOVED): void {
    this.#unsettled++;
    this.#submit(incoming, removed, settle);
  }

  /**
   * Decides what a committed session means here (O-53). Resolves when that is durable, or refused. Rejects if the journal
   * is unavailable, or the host is stopping.
   */
  async agree(outcome: AgreedOutcome): Promise<Refusal | undefined> {
    const id = proposalAgreedOn(outcome);
    const stream = proposalStream(this.settings.name, id);
    while (!this.#stopping) {
      const isKnown = this.#live.newest.proposals.has(id);
      const removed = isKnown ? NONE_REMOVED : await this.#recall([id]);
      if (this.#live.isRefreshing || this.#live.isUncertain(stream)) {
        await this.#live.idle();
        continue;
      }
      const { appends, inOrder, refused } = agreeInSpace(this.#live.newest, outcome, this.#context(removed));
      if (appends === undefined) return refused;
      const { outcomes } = await new Promise<DecisionInFlight<SpaceState>>((resolve) => {
        if (inOrder === true) this.#live.appendInOrder(appends, resolve);
        else this.#live.append(appends, resolve);
      });
      if (outcomes.length > 0 && outcomes.every(({ status }) => status === 'appended')) return undefined;
      const failed = outcomes.find(({ status }) => status === 'unavailable');
      // Otherwise another gateway was first, and its records are known now.
      if (failed?.status === 'unavailable') throw new JournalError(failed.refusal);
    }
    throw new Error('the space is stopping');
  }

  /** The durable state of one proposal, from memory or from the journal. */
  async proposal(id: string): Promise<Proposal | undefined> {
    const known = this.state.proposals.get(id) ?? (await readProposal(this.#journal, this.settings.name, id));
    return known === 'removed' ? undefined : known;
  }

  /** A proposal as shown, with its executor while it is pending. */
  view(proposal: Proposal): JsonObject {
    return viewPending(this.state, proposal, this.#context());
  }

  /** Accepts no more messages, and resolves when the outcome of the accepted ones is certain. */
  async drain(): Promise<void> {
    this.#stopping = true;
    if (this.#unsettled > 0) {
      await new Promise<void>((resolve) => {
        this.#onSettled = resolve;
      });
    }
    await this.#live.idle();
  }

  /** Accepted messages whose outcome is not certain; `undefined` if there are none. */
  undecided(): Undecided | undefined {
    const ids = new Set<string>();
    for (const { envelope } of this.#live.inFlight()) {
      if (ids.size === MAX_IDS) break;
      if (typeof envelope['id'] === 'string') ids.add(envelope['id']);
    }
    const count = Math.max(this.#unsettled, ids.size);
    return count === 0 ? undefined : { space: this.settings.name, count, ids: [...ids] };
  }

  stop(): void {
    this.#stopping = true;
    this.#watching.stop();
    this.presence.stop();
  }

  /** Only now, with all of history known, can anything be due. */
  #begin(state: SpaceState): void {
    this.#live.adjust(() => state);
    for (const id of this.#live.newest.proposals.keys()) this.#watch(id);
    // Nobody had time to reconnect: those missing after the grace period are absent.
    this.presence.start(() => {
      for (const name of this.#live.newest.dependents.keys())
        if (!this.presence.isPresent(name)) this.dependents.about(name);
      this.grants.begin((name) => this.presence.isPresent(name));
    });
    this.dependents.afterStart();
  }

  async #recall(ids: readonly string[]): Promise<Removed> {
    const removed = new Set<string>();
    for (const id of ids) {
      const recall = await readRecall(this.#journal, this.settings.name, id);
      if (recall === 'removed') removed.add(id);
      if (typeof recall !== 'function' || this.#live.newest.proposals.has(id)) continue;
      this.#live.adjust(recall);
      this.#watch(id);
    }
    return removed;
  }

  #seeChange(record: OperationRecord): void {
    if (isProposalRecord(record)) this.#watch(record.facts.proposal);
    else if (record.type === 'announced') this.dependents.about(record.facts.participant);
  }

  #watch(id: string): void {
    this.#watching.see(id, this.#live.newest.proposals.get(id));
  }

  #review(id: string): void {
    if (this.#stopping) return;
    if (this.#live.isRefreshing) return this.#watching.retry(id);
    const { appends = [] } = reviewInSpace(this.#live.newest, id, this.#context());
    if (appends.length === 0) return;
    this.#live.append(appends, ({ outcomes }) => {
      // Also if another gateway was first: its records arrive with the feed in a moment.
      const isDone = outcomes.length > 0 && outcomes.every(({ status }) => status === 'appended');
      if (!isDone) this.#watching.retry(id);
    });
  }
}
