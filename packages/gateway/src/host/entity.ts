import { type Decider, refuse, replay } from '@proffer/core';
import { type RecordContent } from '@proffer/core/records';
import type { AppendOutcome, Journal, StoredRecord } from '@proffer/journal';
import { type Leave, leaveNow } from './departures.js';
import {
  acceptAll,
  type Check,
  type Pending,
  recordsOf,
  refusalOf,
  type Snapshot,
  type Submission,
  settleStored,
} from './pending.js';
import {
  AGAIN,
  type Failed,
  type Landing,
  type Settle,
  settled,
  settleWith,
  type Verdict,
  verdictOf,
} from './verdict.js';

export interface EntityOptions<State, Command, Content extends RecordContent, Context> {
  readonly journal: Journal;
  readonly stream: string;
  readonly decider: Decider<State, Command, Content, Context>;
  /** When what is decided goes to the journal. Default at once. */
  readonly leave?: Leave;
  /** Called each time more became durable, with what did. */
  readonly onChange?: (state: State, records: readonly Content[]) => void;
}

/** How often a command is decided again because somebody else was faster. */
const ATTEMPTS = 10;

/**
 * One entity in this process: a decider over one stream of the journal. The next command is decided on
 * the state that the one before will leave, without waiting for the disk, and is acknowledged after it.
 * One append is on its way at a time; what is decided meanwhile follows in the next, all in one: so a
 * record can never land on a state other than the one it was decided on, even when somebody else writes
 * to the same stream.
 */
export class Entity<State, Command, Content extends RecordContent, Context> {
  readonly #options: EntityOptions<State, Command, Content, Context>;
  #durable: Snapshot<State>;
  #newest: Snapshot<State>;
  /** An append is on its way, or leaves in a moment. */
  #flying = false;
  /** Those who wait until it has landed. */
  #onLanded: (() => void)[] | undefined;
  #waiting: Pending<State, Content>[] | undefined;
  /** While the journal is read for what others wrote. */
  #refreshing: Promise<void> | undefined;
  /** The highest version that the journal's feed has shown. */
  #seen = 0;

  constructor(options: EntityOptions<State, Command, Content, Context>) {
    this.#options = options;
    this.#durable = { state: options.decider.initial, version: 0 };
    this.#newest = this.#durable;
  }

  /** What is durable: nothing is shown that could still turn out not to have happened (I-1). */
  get state(): State {
    return this.#durable.state;
  }

  /** How many records are durable, as far as it is known here. */
  get version(): number {
    return this.#durable.version;
  }

  /** Whether nothing is on its way. */
  get isIdle(): boolean {
    return !this.#flying && this.#refreshing === undefined;
  }

  /** Takes in a record that the journal gave; one that was decided here is known already. */
  fold(record: StoredRecord<Content>): void {
    this.#seen = Math.max(this.#seen, record.version);
    if (this.isIdle && record.version === this.#newest.version + 1) this.#learn(record);
  }

  /**
   * Decides a command at once, and says what became of it when that is certain.
   *
   * @param check - a last look at what was decided, before it is appended: the refusal, or nothing
   */
  submit(
    command: Command,
    context: () => Context,
    check: Check<Content> = acceptAll,
  ): Promise<Verdict<State, Content>> {
    return settled((settle) => this.#take({ command, context, check }, settle));
  }

  /** The same for whoever has very many: calls back instead of making a promise. */
  submitThen(command: Command, context: () => Context, settle: Settle<Verdict<State, Content>>): void {
    this.#take({ command, context, check: acceptAll }, settle);
  }

  #take(submission: Submission<Command, Content, Context>, settle: Settle<Verdict<State, Content>>): void {
    const { command, context, check } = submission;
    const { state } = this.#newest;
    if (this.#refreshing !== undefined) return settleWith(this.#deliberate(submission), settle);
    const { records = [] } = this.#options.decider.decide(state, command, context());
    const isPlain = records.length > 0 && check(records) === undefined;
    if (!isPlain) return settleWith(this.#deliberate(submission), settle);
    const after = replay(this.#options.decider, records, state);
    // Nearly everything is accepted at once: then there is no promise, and nothing to go round for.
    this.#append(records, after, (landing) => {
      const verdict = verdictOf(landing, state, after);
      if (verdict === undefined) settleWith(this.#deliberate(submission), settle);
      else settle(verdict);
    });
  }

  /** Decides a command as often as it takes. */
  async #deliberate(submission: Submission<Command, Content, Context>): Promise<Verdict<State, Content>> {
    const { command, context, check } = submission;
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      while (this.#refreshing !== undefined) await this.#refreshing;
      const { state } = this.#newest;
      const decision = this.#options.decider.decide(state, command, context());
      if (decision.unchanged !== undefined) {
        const verdict = await this.#confirm(command, context);
        if (verdict !== undefined) return verdict;
        continue;
      }
      const refusal = refusalOf(decision, check);
      if (refusal !== undefined) {
        // Another gateway may have accepted what this message builds on, and its record not be here yet.
        const found = await this.catchUp();
        if (found === 'removed') return { status: 'removed' };
        if (found === 'more') continue;
        // What the refusal rests on may still turn out not to have happened (I-1).
        const { state: durable } = this.#durable;
        const certain = refusalOf(this.#options.decider.decide(durable, command, context()), check);
        if (certain?.code === refusal.code) return { status: 'refused', refusal: certain, state: durable };
        await this.#landing();
        continue;
      }
      const { records = [] } = decision;
      if (records.length === 0) return { status: 'accepted', records: [], state };
      const { version } = this.#durable;
      const after = replay(this.#options.decider, records, state);
      const landing = await new Promise<Landing<Content>>((settle) => this.#append(records, after, settle));
      const verdict = verdictOf(landing, state, after);
      if (verdict?.status === 'failed') throw verdict.error;
      if (verdict !== undefined) return verdict;
      if (this.isIdle && this.version === version && (await this.#isRemoved())) return { status: 'removed' };
    }
    const refusal = refuse('unavailable', 'Too many concurrent writers; retry.');
    return { status: 'refused', refusal, state: this.state };
  }

  /** Takes in what others wrote and the feed has not brought yet; `removed` if retention took the stream meanwhile. */
  async catchUp(): Promise<'nothing new' | 'more' | 'removed'> {
    const { version, removed } = await this.#options.journal.head(this.#options.stream);
    const known = this.#newest.version;
    if (known > 0 && removed >= known) return 'removed';
    if (version <= known) return 'nothing new';
    if (!this.isIdle) {
      // What is on its way will find out by itself.
      await this.#landing();
      return 'more';
    }
    const before = this.#durable.version;
    await this.#refresh();
    return this.#durable.version > before ? 'more' : 'nothing new';
  }

  /** Settles when nothing is on its way. */
  async landed(): Promise<void> {
    while (!this.isIdle) await this.#landing();
  }

  /** The verdict on a command that makes no difference; nothing if what it repeats is not durable yet. */
  async #confirm(command: Command, context: () => Context): Promise<Verdict<State, Content> | undefined> {
    const { state } = this.#durable;
    const { unchanged } = this.#options.decider.decide(state, command, context());
    if (unchanged !== undefined) return { status: 'unchanged', why: unchanged, state };
    await this.#landing();
    return undefined;
  }

  /** Settles when the append that is on its way, or the reading, is over. */
  async #landing(): Promise<void> {
    if (this.#refreshing !== undefined) return await this.#refreshing;
    if (!this.#flying) return;
    await new Promise<void>((resolve) => {
      this.#onLanded ??= [];
      this.#onLanded.push(resolve);
    });
  }

  #append(records: readonly Content[], state: State, settle: (landing: Landing<Content>) => void): void {
    const after = { state, version: this.#newest.version + records.length };
    this.#newest = after;
    const pending = { records, after, settle };
    if (this.#waiting === undefined) this.#waiting = [pending];
    else this.#waiting.push(pending);
    if (this.#flying) return;
    const { leave = leaveNow } = this.#options;
    this.#flying = true;
    leave(this);
  }

  /** Hands what waits over to the journal; for {@link EntityOptions.leave}. */
  depart(): void {
    const { journal, stream } = this.#options;
    const batch = this.#waiting ?? [];
    this.#flying = true;
    this.#waiting = undefined;
    const append = { stream, expectedVersion: this.#durable.version, records: recordsOf(batch) };
    try {
      journal.appendThen(append, (outcome) => this.#land(batch, outcome));
    } catch (error) {
      this.#land(batch, { status: 'failed', error });
    }
  }

  #land(batch: readonly Pending<State, Content>[], outcome: AppendOutcome | Failed): void {
    this.#flying = false;
    if (outcome.status !== 'appended') return void this.#takeBack(batch, outcome);
    this.#keep(batch, outcome.records);
    this.#tellLanded();
  }

  async #takeBack(
    batch: readonly Pending<State, Content>[],
    outcome: Exclude<AppendOutcome, { readonly status: 'appended' }> | Failed,
  ): Promise<void> {
    const built = this.#waiting ?? [];
    this.#waiting = undefined;
    this.#newest = this.#durable;
    // Whoever decides again must know what the others wrote; if it cannot be read now, the journal will tell again.
    if (outcome.status === 'conflict') await this.#refresh().catch(() => {});
    const landing: Landing<Content> = outcome.status === 'conflict' ? AGAIN : outcome;
    for (const { settle } of batch) settle(landing);
    for (const { settle } of built) settle(AGAIN);
    this.#lookUp();
    this.#tellLanded();
  }

  #tellLanded(): void {
    const waiting = this.#onLanded ?? [];
    this.#onLanded = undefined;
    for (const go of waiting) go();
  }

  #keep(batch: readonly Pending<State, Content>[], stored: readonly StoredRecord[]): void {
    this.#durable = batch.at(-1)?.after ?? this.#durable;
    // First: whoever is told now may submit the next command, which comes after those that wait.
    if (this.#waiting !== undefined) this.depart();
    settleStored(batch, stored);
    this.#options.onChange?.(this.#durable.state, stored as StoredRecord<Content>[]);
    this.#lookUp();
  }

  /** Reads what the feed showed while something was on its way. If that fails, a later command finds out. */
  #lookUp(): void {
    if (this.isIdle && this.#seen > this.#durable.version) this.#refresh().catch(() => {});
  }

  /** Reads what the stream has in the journal and this entity has not. */
  async #refresh(): Promise<void> {
    const reading = this.#read();
    this.#refreshing = reading;
    try {
      await reading;
    } finally {
      if (this.#refreshing === reading) this.#refreshing = undefined;
    }
  }

  async #read(): Promise<void> {
    const { journal, stream } = this.#options;
    for await (const record of journal.read(stream, this.#durable.version + 1)) {
      if (record.version === this.#durable.version + 1) this.#learn(record as StoredRecord<Content>);
    }
  }

  async #isRemoved(): Promise<boolean> {
    const { removed } = await this.#options.journal.head(this.#options.stream);
    return removed > this.#durable.version;
  }

  #learn(record: StoredRecord<Content>): void {
    const state = this.#options.decider.evolve(this.#durable.state, record);
    this.#durable = { state, version: record.version };
    this.#newest = this.#durable;
    this.#options.onChange?.(state, [record]);
  }
}
