import { refuse } from '@proffer/core';
import {
  type Append,
  emptySpace,
  evolveSpace,
  isProposalRecord,
  type OperationRecord,
  type SpaceSettings,
  type SpaceState,
} from '@proffer/core/operations';
import type { AppendOutcome, Journal } from '@proffer/journal';
import type { StoredOperation } from '../delivery/index.js';
import { type Flight, Flights } from './flights.js';

export interface LiveSpaceOptions {
  readonly journal: Journal;
  readonly settings: SpaceSettings;
  /** A proposal is not as it was before. */
  readonly onChanged: (proposal: string) => void;
  /** A participant said what it serves. Default nobody needs to know. */
  readonly onAnnounced?: (participant: string) => void;
  /** Something failed that is ours to mend. */
  readonly onFault: (error: unknown) => void;
}

const ignore = (): void => {};

/**
 * The state of a space in memory: a fold over the journal and nothing else (O-22), and on top of what is
 * durable what was decided and is still on its way. When an append fails, all that was decided on top of
 * it is taken back.
 */
export class LiveSpace {
  readonly #journal: Journal;
  readonly #onChanged: (proposal: string) => void;
  readonly #onAnnounced: (participant: string) => void;
  readonly #onFault: (error: unknown) => void;
  readonly #flights = new Flights();
  #newest: SpaceState;
  /** An append failed: the flight that everything was taken back to; nothing is decided until all have landed. */
  #failed: Flight | undefined;

  constructor({ journal, settings, onChanged, onAnnounced = ignore, onFault }: LiveSpaceOptions) {
    this.#journal = journal;
    this.#onFault = onFault;
    this.#onChanged = onChanged;
    this.#onAnnounced = onAnnounced;
    this.#newest = emptySpace(settings);
  }

  /** What the next message is decided on. */
  get newest(): SpaceState {
    return this.#newest;
  }

  /** What cannot turn out not to have happened (I-1). */
  get durable(): SpaceState {
    const { oldest } = this.#flights;
    if (oldest === undefined) return this.#newest;
    // What came after a flight that failed was decided on what did not happen; the newest state has none of it.
    const isFalse = this.#failed !== undefined && oldest.number >= this.#failed.number;
    return isFalse ? this.#newest : oldest.before;
  }

  /** True after an append failed, until it is certain what became of the others: nothing may be decided. */
  get isUncertain(): boolean {
    return this.#failed !== undefined;
  }

  /** Settles when all that is on its way now has landed. */
  landed(): Promise<void> {
    return this.#flights.landed();
  }

  /** Takes in a record that the journal gave; one that was decided here is known already. */
  fold(record: StoredOperation): void {
    this.#flights.note(record);
    this.#learn(record);
  }

  /** Replaces the newest state by one with more or less of what is over in it. */
  adjust(change: (space: SpaceState) => SpaceState): void {
    this.#flights.note(change);
    this.#newest = change(this.#newest);
  }

  /**
   * Takes what was decided into the state, and appends it; calls back when it is certain what became of it.
   *
   * @param inOrder - whether each waits for the one before it, and fails with it. Default they go out together
   */
  append(
    appends: readonly Append[],
    onLanded: (outcomes: readonly AppendOutcome[]) => void,
    inOrder = false,
  ): void {
    const before = this.#newest;
    for (const { records } of appends) for (const record of records) this.#evolve(record);
    const flight = this.#flights.begin(before);
    const outcomes: AppendOutcome[] = [];
    const land = (append: Append, outcome: AppendOutcome): void => {
      outcomes.push(outcome);
      if (outcome.status === 'appended') this.#isDurable(outcome.records as readonly StoredOperation[]);
      else this.#takeBack(flight, append);
      if (outcomes.length < appends.length) return;
      this.#flights.end(flight);
      if (this.#flights.oldest === undefined) this.#failed = undefined;
      onLanded(outcomes);
    };
    if (inOrder) this.#sendInOrder(appends, land);
    else for (const append of appends) this.#send(append, (outcome) => land(append, outcome));
  }

  #sendInOrder(
    [first, ...others]: readonly Append[],
    land: (append: Append, outcome: AppendOutcome) => void,
  ): void {
    if (first === undefined) return;
    this.#send(first, (outcome) => {
      land(first, outcome);
      if (outcome.status === 'appended') this.#sendInOrder(others, land);
      else for (const other of others) land(other, outcome);
    });
  }

  /** After a conflict: takes in what the stream has in the journal. */
  async refresh({ stream, records }: Append): Promise<void> {
    const [first] = records;
    if (first === undefined) return;
    for await (const record of this.#journal.read(stream, this.#versionOf(first) + 1)) {
      this.fold(record as StoredOperation);
    }
  }

  #send(append: Append, settle: (outcome: AppendOutcome) => void): void {
    try {
      this.#journal.appendThen(append, settle);
    } catch (error) {
      this.#onFault(error);
      const refusal = refuse('unavailable', 'The journal could not be written.');
      queueMicrotask(() => settle({ status: 'unavailable', refusal }));
    }
  }

  /** Records that were decided here became durable: they are in the state, unless that was taken back. */
  #isDurable(records: readonly StoredOperation[]): void {
    for (const record of records) {
      this.#flights.note(record);
      if (this.#failed !== undefined) this.#learn(record);
    }
  }

  /** Goes back to the state before an append that failed, and takes in again all that is durable. */
  #takeBack(flight: Flight, { records }: Append): void {
    if (this.#failed === undefined || this.#failed.number > flight.number) {
      this.#failed = flight;
      this.#newest = flight.before;
      for (const lasting of this.#flights.since(flight)) {
        if (typeof lasting === 'function') this.#newest = lasting(this.#newest);
        else this.#learn(lasting);
      }
    }
    for (const record of records) if (isProposalRecord(record)) this.#onChanged(record.facts.proposal);
  }

  #learn(record: StoredOperation): void {
    // Of a proposal that was let go only its beginning could be folded; it is recalled when needed.
    if (this.#versionOf(record) + 1 === record.version) this.#evolve(record);
  }

  #versionOf(record: OperationRecord): number {
    const entity = isProposalRecord(record)
      ? this.#newest.proposals.get(record.facts.proposal)
      : this.#newest.participants.get(record.facts.participant);
    return entity?.version ?? 0;
  }

  #evolve(record: OperationRecord): void {
    this.#newest = evolveSpace(this.#newest, record);
    if (isProposalRecord(record)) this.#onChanged(record.facts.proposal);
    else if (record.type === 'announced') this.#onAnnounced(record.facts.participant);
  }
}
