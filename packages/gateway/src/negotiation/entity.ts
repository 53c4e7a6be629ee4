import { type Decider, type RecordContent, type Refusal, refuse } from '@proffer/core';
import type { AppendOutcome, Journal, StoredRecord } from '@proffer/journal';

/** What became of a command, told once it is certain. */
export type Verdict<State, Content extends RecordContent> =
  /** Durable, as these records; none when there was nothing to record. */
  | { readonly status: 'accepted'; readonly records: readonly StoredRecord<Content>[]; readonly state: State }
  /** It makes no difference, on a state that is durable. */
  | { readonly status: 'unchanged'; readonly why: 'duplicate' | 'late'; readonly state: State }
  /** It left no trace (I-5). */
  | { readonly status: 'refused'; readonly refusal: Refusal; readonly state: State }
  /** The stream has more records than the journal still holds: nothing can be decided about it. */
  | { readonly status: 'removed' };

export interface EntityOptions<State, Command, Content extends RecordContent, Context> {
  readonly journal: Journal;
  readonly stream: string;
  readonly decider: Decider<State, Command, Content, Context>;
  /** Called each time more became durable, with what did. */
  readonly onChange?: (state: State, records: readonly Content[]) => void;
}

const FAILED: AppendOutcome = {
  status: 'unavailable',
  refusal: refuse('unavailable', 'The journal failed.'),
};

/** How often a command is decided again because somebody else was faster. */
const ATTEMPTS = 10;

/** A state, and how many records made it. */
interface Snapshot<State> {
  readonly state: State;
  readonly version: number;
}

/** Records that were decided and are not durable yet. */
interface Pending<State, Content extends RecordContent> {
  readonly records: readonly Content[];
  readonly after: Snapshot<State>;
  readonly settle: (landing: Landing<Content>) => void;
}

type Landing<Content extends RecordContent> =
  | { readonly status: 'appended'; readonly records: readonly StoredRecord<Content>[] }
  | { readonly status: 'unavailable'; readonly refusal: Refusal }
  /** What it was decided on did not come about. */
  | { readonly status: 'again' };

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
  #flying: { readonly landed: Promise<void> } | undefined;
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
    return this.#flying === undefined && this.#refreshing === undefined;
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
  async submit(
    command: Command,
    context: () => Context,
    check: (records: readonly Content[]) => Refusal | undefined = () => undefined,
  ): Promise<Verdict<State, Content>> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      while (this.#refreshing !== undefined) await this.#refreshing;
      const { state } = this.#newest;
      const decision = this.#options.decider.decide(state, command, context());
      if (decision.unchanged !== undefined) {
        const verdict = await this.#confirm(command, context);
        if (verdict !== undefined) return verdict;
        continue;
      }
      const refusal = decision.refused ?? check(decision.records);
      if (refusal !== undefined) {
        // Another gateway may have accepted what this message builds on, and its record not be here yet.
        if ((await this.catchUp()) === 'nothing new') return { status: 'refused', refusal, state };
        continue;
      }
      const { records = [] } = decision;
      if (records.length === 0) return { status: 'accepted', records: [], state };
      const { version } = this.#durable;
      const after = records.reduce(this.#options.decider.evolve, state);
      const landing = await this.#append(records, after);
      if (landing.status === 'appended') return { ...landing, status: 'accepted', state: after };
      if (landing.status === 'unavailable') return { status: 'refused', refusal: landing.refusal, state };
      if (this.isIdle && this.version === version && (await this.#isRemoved())) return { status: 'removed' };
    }
    const refusal = refuse('unavailable', 'Others were faster each time.');
    return { status: 'refused', refusal, state: this.state };
  }

  /** Takes in what others wrote and the feed has not brought yet. */
  async catchUp(): Promise<'nothing new' | 'more'> {
    const { version } = await this.#options.journal.head(this.#options.stream);
    if (version <= this.#newest.version) return 'nothing new';
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
    if (this.#flying !== undefined) await this.#flying.landed;
  }

  #append(records: readonly Content[], state: State): Promise<Landing<Content>> {
    const after = { state, version: this.#newest.version + records.length };
    this.#newest = after;
    return new Promise((settle) => {
      this.#waiting ??= [];
      this.#waiting.push({ records, after, settle });
      if (this.#flying === undefined) this.#fly();
    });
  }

  #fly(): void {
    const batch = this.#waiting;
    this.#waiting = undefined;
    if (batch === undefined) return;
    const { journal, stream } = this.#options;
    const contents = batch.flatMap(({ records }) => records);
    const appending = journal.append(stream, this.#durable.version, contents).catch(() => FAILED);
    this.#flying = { landed: appending.then((outcome) => this.#land(batch, outcome)) };
  }

  async #land(batch: readonly Pending<State, Content>[], outcome: AppendOutcome): Promise<void> {
    this.#flying = undefined;
    if (outcome.status === 'appended') return this.#keep(batch, outcome.records);
    const built = this.#waiting ?? [];
    this.#waiting = undefined;
    this.#newest = this.#durable;
    // Whoever decides again must know what the others wrote; if it cannot be read now, the journal will tell again.
    if (outcome.status === 'conflict') await this.#refresh().catch(() => {});
    const landing: Landing<Content> = outcome.status === 'unavailable' ? outcome : { status: 'again' };
    for (const { settle } of batch) settle(landing);
    for (const { settle } of built) settle({ status: 'again' });
    this.#lookUp();
  }

  #keep(batch: readonly Pending<State, Content>[], stored: readonly StoredRecord[]): void {
    this.#durable = batch.at(-1)?.after ?? this.#durable;
    let start = 0;
    for (const { records, settle } of batch) {
      const end = start + records.length;
      settle({ status: 'appended', records: stored.slice(start, end) as StoredRecord<Content>[] });
      start = end;
    }
    this.#options.onChange?.(this.#durable.state, stored as StoredRecord<Content>[]);
    if (this.#waiting !== undefined) this.#fly();
    else this.#lookUp();
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
