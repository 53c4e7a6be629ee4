import { type Decider, type Decision, type Refusal, refuse } from '@proffer/core';
import type { RecordContent } from '@proffer/core/records';
import type { Journal, StoredRecord } from '@proffer/journal';
import { type FlushPolicy, flushNow } from './flush-policy.js';
import { type Fold, LiveState } from './live-state.js';
import { type EntityOutcome, type Failed, type Settle, settled, settleWith } from './message-outcome.js';
import { type RecordableDecision, type Rules, type SubmitOutcome, submit } from './submit.js';

export interface EntityOptions<State, Command, Content extends RecordContent, Context> {
  readonly journal: Journal;
  readonly stream: string;
  readonly decider: Decider<State, Command, Content, Context>;
  /** When decisions go to the journal. Default: at once. */
  readonly flushPolicy?: FlushPolicy;
  /** Called each time more became durable, with what did. */
  readonly onChange?: (state: State, records: readonly Content[]) => void;
  /** Called on an internal error. Not reported by default: a later command finds out. */
  readonly onFault?: (error: unknown) => void;
}

/** A last check of a decision before it is appended: the refusal, or `undefined`. */
type Check<Content> = (records: readonly Content[]) => Refusal | undefined;

/** A check that accepts everything. */
const acceptAll = (): undefined => undefined;

/** A state, and how many records made it. */
interface Snapshot<State> {
  readonly state: State;
  readonly version: number;
}

/** A command, and what is needed to decide it repeatedly. */
interface Asked<Command, Content, Context> {
  readonly stream: string;
  readonly command: Command;
  readonly context: () => Context;
  readonly check: Check<Content>;
}

type EntityDecision<Content> = Decision<Content> & RecordableDecision;

/** How often a command is decided again because the journal was ahead. */
const MAX_CATCH_UPS = 10;

/**
 * One entity in this process: a decider on one stream of the journal, hosted by the engine that operations and negotiations
 * share.
 */
export class Entity<State, Command, Content extends RecordContent, Context> {
  readonly #options: EntityOptions<State, Command, Content, Context>;
  readonly #live: LiveState<Snapshot<State>, Content>;
  readonly #rules: Hosting<State, Command, Content, Context>;

  constructor(options: EntityOptions<State, Command, Content, Context>) {
    const { journal, decider, flushPolicy = flushNow, onChange, onFault = ignore } = options;
    this.#options = options;
    this.#rules = hostingOf(decider);
    this.#live = new LiveState<Snapshot<State>, Content>({
      journal,
      fold: this.#rules,
      flushPolicy,
      onFault,
      ...(onChange === undefined
        ? {}
        : { onDurable: ({ state }: Snapshot<State>, records) => onChange(state, records) }),
    });
  }

  /** The durable state: nothing that could still fail is shown (I-1). */
  get state(): State {
    return this.#live.durable.state;
  }

  /** How many records are durable, as far as known here. */
  get version(): number {
    return this.#live.durable.version;
  }

  /** Whether nothing is in flight. */
  get isIdle(): boolean {
    return this.#live.isIdle;
  }

  /** Starts with a state made of this many records, instead of reading them. */
  restore(state: State, version: number): void {
    this.#live.adjust(() => ({ state, version }));
  }

  /** Folds a record from the journal; one that was decided here is already known. */
  fold(record: StoredRecord<Content>): void {
    this.#live.fold(record);
  }

  /**
   * Decides a command at once, and resolves with the outcome when it is certain.
   *
   * @param check - a last check of the decision before it is appended: a refusal, or `undefined`
   */
  submit(
    command: Command,
    context: () => Context,
    check: Check<Content> = acceptAll,
  ): Promise<EntityOutcome<State, Content>> {
    const { stream } = this.#options;
    return settled((settle) => this.#submit({ stream, command, context, check }, settle));
  }

  /** {@link submit} for callers with very many commands: calls back instead of creating a promise. */
  submitThen(command: Command, context: () => Context, settle: Settle<EntityOutcome<State, Content>>): void {
    this.#submit({ stream: this.#options.stream, command, context, check: acceptAll }, settle);
  }

  /**
   * Reads what others wrote and the feed has not delivered yet; `removed` if retention removed the stream.
   *
   * @param isCertain - whether to ask the journal's servers, instead of relying on what has arrived here. A
   * gateway that was just partitioned does not know it yet
   */
  async catchUp({ isCertain = false } = {}): Promise<'nothing new' | 'more' | 'removed'> {
    const { journal, stream } = this.#options;
    const known = this.#live.newest.version;
    const { version, removed } = await journal.head(stream, isCertain ? known + 1 : 1);
    if (removed >= Math.max(known, 1)) return 'removed';
    if (version <= known) return 'nothing new';
    if (!this.isIdle) {
      // Appends in flight will find out on their own.
      await this.#live.nextFlush();
      return 'more';
    }
    // The feed may have delivered it meanwhile.
    if (this.version < version) await this.#live.refresh(stream, this.version + 1);
    return this.version > known ? 'more' : 'nothing new';
  }

  /** Resolves when nothing is in flight. */
  idle(): Promise<void> {
    return this.#live.idle();
  }

  #submit(
    message: Asked<Command, Content, Context>,
    settle: Settle<EntityOutcome<State, Content>>,
    catchUps = 0,
  ): void {
    const conclude = (
      _: typeof message,
      outcome: SubmitOutcome<Snapshot<State>, EntityDecision<Content>>,
    ): void => {
      const told = entityOutcome<State, Content>(outcome);
      const isRefused = outcome.status === 'answered' && outcome.decision.refused !== undefined;
      if (told !== undefined && !isRefused) return settle(told);
      const outrun = { status: 'refused', refusal: refuseOutrun(), state: this.state } as const;
      const refused = told?.status === 'refused' ? told : outrun;
      settleWith(this.#reconsider(message, { refused, catchUps }), settle);
    };
    submit({ live: this.#live, rules: this.#rules, settle: conclude }, message);
  }

  /** Another gateway may have accepted what a command builds on, before its record arrives here. */
  async #reconsider(
    message: Asked<Command, Content, Context>,
    { refused, catchUps }: { readonly refused: EntityOutcome<State, Content>; readonly catchUps: number },
  ): Promise<EntityOutcome<State, Content>> {
    const found = await this.catchUp({ isCertain: true });
    if (found === 'removed') return { status: 'removed' };
    if (found === 'nothing new' || catchUps === MAX_CATCH_UPS) return refused;
    return await settled((settle) => this.#submit(message, settle, catchUps + 1));
  }
}

/** The outcome of a command; `undefined` if others were first each time. */
function entityOutcome<State, Content extends RecordContent>(
  outcome: SubmitOutcome<Snapshot<State>, EntityDecision<Content>>,
): EntityOutcome<State, Content> | Failed | undefined {
  switch (outcome.status) {
    case 'landed': {
      const { decided, before } = outcome;
      const [landed] = decided.outcomes;
      if (landed?.status === 'unavailable')
        return { status: 'refused', refusal: landed.refusal, state: before.state };
      const records = landed?.status === 'appended' ? landed.records : [];
      return {
        status: 'accepted',
        records: records as readonly StoredRecord<Content>[],
        state: decided.after.state,
      };
    }
    case 'answered': {
      const { refused, unchanged } = outcome.decision;
      const { state } = outcome.state;
      if (refused !== undefined) return { status: 'refused', refusal: refused, state };
      if (unchanged === 'late') return { status: 'late', state };
      return { status: unchanged ?? 'accepted', records: [], state };
    }
    case 'failed':
      return outcome;
    case 'outrun':
      return undefined;
  }
}

type Hosting<State, Command, Content extends RecordContent, Context> = Fold<Snapshot<State>, Content> &
  Rules<Snapshot<State>, Asked<Command, Content, Context>, EntityDecision<Content>>;

/** By decider: there may be very many entities with the same one. */
const hostings = new WeakMap<object, unknown>();

/** A decider in the engine's form. */
function hostingOf<State, Command, Content extends RecordContent, Context>(
  decider: Decider<State, Command, Content, Context>,
): Hosting<State, Command, Content, Context> {
  const known = hostings.get(decider);
  if (known !== undefined) return known as Hosting<State, Command, Content, Context>;
  const made: Hosting<State, Command, Content, Context> = {
    initial: { state: decider.initial, version: 0 },
    evolve: ({ state, version }, record) => ({ state: decider.evolve(state, record), version: version + 1 }),
    versionOf: ({ version }) => version,
    decide({ state, version }, { stream, command, context, check }) {
      const decision = decider.decide(state, command, context());
      const { records = [], due } = decision;
      if (due !== undefined)
        return { ...decision, dueAppends: [{ stream, expectedVersion: version, records: due }] };
      if (records.length === 0) return decision;
      const refused = check(records);
      if (refused !== undefined) return { refused };
      return { records, appends: [{ stream, expectedVersion: version, records }] };
    },
    confirm(decision, onDurable) {
      if (decision.refused === undefined && decision.unchanged === undefined) return decision;
      const certain = onDurable();
      const isSame =
        decision.refused === undefined
          ? certain.unchanged === decision.unchanged
          : certain.refused?.code === decision.refused.code;
      return isSame ? certain : undefined;
    },
  };
  hostings.set(decider, made);
  return made;
}

function refuseOutrun(): Refusal {
  return refuse('unavailable', 'Too many concurrent writers; retry.');
}

const ignore = (): void => {};
