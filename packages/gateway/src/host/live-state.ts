import type { RecordContent } from '@proffer/core/records';
import type { Append, Journal, StoredRecord } from '@proffer/journal';
import { AppendBatch, type DecisionInFlight, UNKNOWN } from './append-batch.js';
import { type FlushPolicy, flushAfterTask, type PendingFlush } from './flush-policy.js';
import { inOrder } from './in-order.js';

/** How to build a state. */
export interface Fold<State, Content extends RecordContent> {
  readonly initial: State;
  evolve(state: State, record: Content): State;
  /** How many records of a record's stream the state has. */
  versionOf(state: State, record: Content): number;
  /** Called when a state, and those between it and a newer one, are no longer read. Default: does nothing. */
  letGo?(state: State, newer: State): void;
}

export interface LiveStateOptions<State, Content extends RecordContent> {
  readonly journal: Pick<Journal, 'appendAll' | 'read'>;
  readonly fold: Fold<State, Content>;
  /** When decisions go to the journal. Default: together with those of the same task. */
  readonly flushPolicy?: FlushPolicy;
  /** The newest state has one record more, or less. */
  readonly onChanged?: (record: Content) => void;
  /** More became durable. */
  readonly onDurable?: (state: State, records: readonly StoredRecord<Content>[]) => void;
  /** An internal error occurred. */
  readonly onFault: (error: unknown) => void;
}

/** What stays when a batch fails: a record of another gateway, or what was evicted from memory or reloaded. */
type Lasting<State, Content extends RecordContent> = StoredRecord<Content> | ((state: State) => State);

const NONE: readonly never[] = [];

/**
 * State ahead of the disk: a fold over the journal and nothing else (O-22), plus decisions that are still in
 * flight on top of what is durable. One batch of appends is in flight at a time; later decisions go with the
 * next. If part of a batch fails, everything that was decided on top of it is rolled back.
 */
export class LiveState<State, Content extends RecordContent> implements PendingFlush {
  readonly #options: LiveStateOptions<State, Content>;
  #durable: State;
  #newest: State;
  /** In flight. */
  #flying: AppendBatch<State> | undefined;
  /** Decisions since that left, in consecutive batches: usually one. */
  #waiting: AppendBatch<State>[] | undefined;
  /** Lasting changes that the durable state does not have yet; the tail of all that were noted. */
  #lasting: Lasting<State, Content>[] | undefined;
  #noted = 0;
  #refreshing: Promise<void> | undefined;
  #onLanded: (() => void)[] | undefined;

  constructor(options: LiveStateOptions<State, Content>) {
    this.#options = options;
    this.#durable = options.fold.initial;
    this.#newest = this.#durable;
  }

  /** What the next message is decided on. */
  get newest(): State {
    return this.#newest;
  }

  /** What can no longer fail (I-1). */
  get durable(): State {
    return this.#durable;
  }

  /** Whether the journal is being read for records of others: until then nothing should be decided. */
  get isRefreshing(): boolean {
    return this.#refreshing !== undefined;
  }

  /** Whether nothing is in flight, or being read. */
  get isIdle(): boolean {
    return this.#flying === undefined && this.#waiting === undefined && this.#refreshing === undefined;
  }

  /** Whether something for a stream is on its way: the journal does not have it yet. */
  isUncertain(stream: string): boolean {
    if (this.#flying?.has(stream) === true) return true;
    return this.#waiting?.some((batch) => batch.has(stream)) === true;
  }

  /** What is on its way to the journal. */
  *inFlight(): Generator<Content> {
    const batches = [...(this.#flying === undefined ? [] : [this.#flying]), ...(this.#waiting ?? [])];
    for (const { decided } of batches)
      for (const { appends } of decided) for (const { records } of appends) yield* records as Content[];
  }

  /** Resolves when the batch in flight, or the read, has ended. */
  async nextFlush(): Promise<void> {
    // The reader is told if that fails.
    if (this.#refreshing !== undefined) return await this.#refreshing.catch(() => {});
    if (this.isIdle) return;
    await new Promise<void>((resolve) => {
      this.#onLanded ??= [];
      this.#onLanded.push(resolve);
    });
  }

  /** Resolves when nothing is in flight. */
  async idle(): Promise<void> {
    while (!this.isIdle) await this.nextFlush();
  }

  /** Folds a record from the journal; one that was decided here is already known. */
  fold(record: StoredRecord<Content>): void {
    // What was evicted from memory cannot be folded further; it is reloaded when needed.
    const known = this.#options.fold.versionOf(this.#newest, record);
    if (record.version === known + 1) {
      const before = this.#durable;
      this.#evolve(record);
      if (this.#isStill) {
        this.#settleDown();
        this.#options.fold.letGo?.(before, this.#durable);
        this.#options.onDurable?.(this.#durable, [record]);
      } else this.#note(record);
    } else if (record.version <= known && this.isUncertain(record.stream)) {
      // Another gateway may have been first.
      this.#note(record);
    }
  }

  /** Replaces the newest state with one that holds more or fewer finished entities. */
  adjust(change: (state: State) => State): void {
    this.#newest = change(this.#newest);
    if (this.#isStill) this.#durable = this.#newest;
    else this.#note(change);
  }

  /**
   * Applies a decision to the state, and appends it with the next batch.
   *
   * @param settle - see {@link DecisionInFlight.settle}
   */
  append(appends: readonly Append[], settle: DecisionInFlight<State>['settle']): void {
    for (const { records } of appends) for (const record of records) this.#evolve(record as Content);
    this.#enqueue({ appends, after: this.#newest, outcomes: UNKNOWN, settle });
  }

  /** Appends where each append counts only if those before it do: each goes with a separate batch. */
  appendInOrder(appends: readonly Append[], settle: DecisionInFlight<State>['settle']): void {
    const parts = inOrder(appends, settle);
    for (const [index, { append, settle: settlePart }] of parts.entries()) {
      for (const record of append.records) this.#evolve(record as Content);
      const part = { appends: [append], after: this.#newest, outcomes: UNKNOWN, settle: settlePart };
      this.#enqueue(part, index > 0);
    }
  }

  #enqueue(decided: DecisionInFlight<State>, isApart = false): void {
    this.#waiting ??= [];
    const last = this.#waiting.at(-1);
    const batch =
      last === undefined || isApart || !last.fits(decided.appends) ? new AppendBatch<State>() : last;
    batch.add(decided, this.#noted);
    if (batch !== last) this.#waiting.push(batch);
    const { flushPolicy = flushAfterTask } = this.#options;
    if (last === undefined && this.#flying === undefined) flushPolicy(this);
  }

  /** Flushes waiting decisions to the journal; for {@link LiveStateOptions.flushPolicy}. */
  flush(): void {
    const waiting = this.#waiting;
    const batch = this.#flying === undefined ? waiting?.shift() : undefined;
    if (batch === undefined) return;
    this.#flying = batch;
    if (waiting?.length === 0) this.#waiting = undefined;
    const { journal, onFault } = this.#options;
    batch.send(journal, (isWhole) => this.#land(batch, isWhole), onFault);
  }

  /** Folds the records of a stream from a version on. */
  async refresh(stream: string, from: number): Promise<void> {
    const before = this.#refreshing;
    const reading = this.#read(stream, from, before);
    this.#refreshing = reading;
    try {
      await reading;
    } finally {
      if (this.#refreshing === reading) this.#refreshing = undefined;
    }
  }

  async #read(stream: string, from: number, before: Promise<void> | undefined): Promise<void> {
    await before?.catch(() => {});
    for await (const record of this.#options.journal.read(stream, from)) {
      this.fold(record as StoredRecord<Content>);
    }
  }

  /** Whether the newest state is durable. */
  get #isStill(): boolean {
    return this.#flying === undefined && this.#waiting === undefined;
  }

  #land(batch: AppendBatch<State>, isWhole: boolean): void {
    this.#flying = undefined;
    if (!isWhole) return this.#takeBack(batch);
    const before = this.#durable;
    let learnt: readonly Lasting<State, Content>[] = this.#lasting ?? NONE;
    if (this.#waiting === undefined) this.#settleDown();
    else {
      this.#durable = batch.decided.at(-1)?.after ?? this.#durable;
      const count = learnt.length - (this.#noted - batch.noted);
      if (learnt.length > 0) this.#lasting = learnt.slice(count);
      learnt = learnt.slice(0, count);
      // First: a caller that is told now may send the next message, which comes after the waiting ones.
      this.flush();
    }
    const durable = this.#durable;
    this.#tell(batch.decided);
    for (const one of learnt) if (typeof one !== 'function') this.#options.onDurable?.(durable, [one]);
    this.#options.fold.letGo?.(before, durable);
    this.#tellLanded();
  }

  /** Returns to the state before a failed batch, and folds everything durable again. */
  #takeBack(batch: AppendBatch<State>): void {
    const built = this.#waiting?.flatMap(({ decided }) => decided) ?? [];
    const lasting = this.#lasting ?? NONE;
    this.#waiting = undefined;
    this.#newest = this.#durable;
    this.#settleDown();
    for (const one of lasting) {
      if (typeof one === 'function') this.adjust(one);
      else this.fold(one);
    }
    for (const record of batch.appended()) this.fold(record as StoredRecord<Content>);
    const { onChanged } = this.#options;
    for (const { appends } of [...batch.decided, ...built]) {
      for (const { records } of appends) for (const record of records) onChanged?.(record as Content);
    }
    void this.#catchUp(batch).finally(() => {
      this.#tell(batch.decided);
      for (const one of built) this.#settle(one);
      this.#tellLanded();
    });
  }

  /** Deciding again requires what the others wrote. If it cannot be read now, the journal will report it again. */
  async #catchUp(batch: AppendBatch<State>): Promise<void> {
    for (const { stream, records } of batch.conflicts()) {
      const [first] = records;
      const from = first === undefined ? 1 : this.#options.fold.versionOf(this.#newest, first as Content) + 1;
      await this.refresh(stream, from).catch((error: unknown) => this.#options.onFault(error));
    }
  }

  #tell(decided: readonly DecisionInFlight<State>[]): void {
    const { onDurable } = this.#options;
    for (const one of decided) {
      this.#settle(one);
      if (onDurable === undefined) continue;
      for (const outcome of one.outcomes) {
        if (outcome.status === 'appended') onDurable(one.after, outcome.records as StoredRecord<Content>[]);
      }
    }
  }

  /** An exception in one caller must not affect those that wait after it. */
  #settle(decided: DecisionInFlight<State>): void {
    try {
      decided.settle(decided);
    } catch (error) {
      this.#options.onFault(error);
    }
  }

  #tellLanded(): void {
    const waiting = this.#onLanded;
    this.#onLanded = undefined;
    if (waiting !== undefined) for (const go of waiting) go();
  }

  /** Nothing is in flight: the whole state is durable. */
  #settleDown(): void {
    this.#durable = this.#newest;
    this.#lasting = undefined;
  }

  #note(lasting: Lasting<State, Content>): void {
    this.#noted++;
    this.#lasting ??= [];
    this.#lasting.push(lasting);
  }

  #evolve(record: Content): void {
    this.#newest = this.#options.fold.evolve(this.#newest, record);
    this.#options.onChanged?.(record);
  }
}
