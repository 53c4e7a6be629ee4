import { refuse } from '@proffer/core';
import type { Append, AppendOutcome, Journal, StoredRecord } from '@proffer/journal';

/** A decision in flight. */
export interface DecisionInFlight<State> {
  readonly appends: readonly Append[];
  /** The state that it leaves. */
  readonly after: State;
  /** The outcome of its appends, once its whole batch is certain. */
  outcomes: readonly AppendOutcome[];
  /** Called once: its outcome is certain, or its basis failed and it has no outcomes. */
  readonly settle: (decided: DecisionInFlight<State>) => void;
}

/** Nothing is known yet. */
export const UNKNOWN: readonly AppendOutcome[] = [];

/**
 * Decisions that go to the journal together, in their order. Those for one stream follow each other and are one append,
 * so a record never lands on a state other than the one it was decided on, whoever else writes to the stream (I-2).
 */
export class AppendBatch<State> {
  readonly decided: DecisionInFlight<State>[] = [];
  /** How many lasting changes there were by the last decision. */
  noted = 0;
  /** One for each stream. */
  readonly #appends: Append[] = [];
  /** Where the append of a stream is; absent with a single stream. */
  #places: Map<string, number> | undefined;
  /** The records of those that have several decisions, by stream. */
  readonly #joined = new Map<string, Append['records'][number][]>();
  #outcomes = UNKNOWN;

  add(decided: DecisionInFlight<State>, noted: number): void {
    this.decided.push(decided);
    this.noted = noted;
    for (const append of decided.appends) this.#add(append);
  }

  /**
   * Whether something can be added at the end: not if one of its streams already has an append, followed by others, or
   * one that it was not decided on. The journal refuses the latter, if it comes alone.
   */
  fits(appends: readonly Append[]): boolean {
    const last = this.#appends.at(-1);
    let end = last === undefined ? 0 : last.expectedVersion + last.records.length;
    for (const { stream, expectedVersion, records } of appends) {
      if (stream !== last?.stream) {
        if (this.has(stream)) return false;
      } else if (expectedVersion === end) end += records.length;
      else return false;
    }
    return true;
  }

  /** Whether part of it is for this stream. */
  has(stream: string): boolean {
    return this.#placeOf(stream) !== undefined;
  }

  /** The records that were appended. */
  *appended(): Generator<StoredRecord> {
    for (const outcome of this.#outcomes) if (outcome.status === 'appended') yield* outcome.records;
  }

  /** The appends that failed because another gateway was first. */
  conflicts(): readonly Append[] {
    return this.#appends.filter((_, index) => this.#outcomes[index]?.status === 'conflict');
  }

  /**
   * Sends everything to the journal.
   *
   * @param onLanded - called once, when the outcome of all of it is certain; true if all of it was appended
   */
  send(
    journal: Pick<Journal, 'appendAll'>,
    onLanded: (isWhole: boolean) => void,
    onFault: (error: unknown) => void,
  ): void {
    const land = (outcomes: readonly AppendOutcome[]): void => {
      this.#outcomes = outcomes;
      this.#share();
      onLanded(outcomes.every(({ status }) => status === 'appended'));
    };
    try {
      journal.appendAll(this.#appends, land);
    } catch (error) {
      onFault(error);
      const refusal = refuse('unavailable', 'The journal could not be written.');
      queueMicrotask(() => land(this.#appends.map(() => ({ status: 'unavailable', refusal }))));
    }
  }

  #placeOf(stream: string): number | undefined {
    if (this.#places !== undefined) return this.#places.get(stream);
    return this.#appends[0]?.stream === stream ? 0 : undefined;
  }

  #add(append: Append): void {
    const { stream } = append;
    const place = this.#placeOf(stream);
    if (place !== undefined) return this.#join(append, place);
    const first = this.#appends[0];
    if (first !== undefined) {
      this.#places ??= new Map([[first.stream, 0]]);
      this.#places.set(stream, this.#appends.length);
    }
    this.#appends.push(append);
  }

  #join({ stream, records }: Append, place: number): void {
    const joined = this.#joined.get(stream);
    if (joined !== undefined) {
      joined.push(...records);
      return;
    }
    // The records of a decision are its own.
    const before = this.#appends[place] as Append;
    const all = [...before.records, ...records];
    this.#joined.set(stream, all);
    this.#appends[place] = { stream, expectedVersion: before.expectedVersion, records: all };
  }

  /** Gives each decision the outcome of its part. */
  #share(): void {
    const starts = this.#appends.map(() => 0);
    for (const decided of this.decided) {
      decided.outcomes = decided.appends.map(({ stream, records: { length } }) => {
        const place = this.#placeOf(stream) as number;
        const start = starts[place] as number;
        starts[place] = start + length;
        return partOf(this.#outcomes[place] as AppendOutcome, start, start + length);
      });
    }
  }
}

/** The outcome of some of the records of an append. */
function partOf(outcome: AppendOutcome, start: number, end: number): AppendOutcome {
  if (outcome.status !== 'appended' || end - start === outcome.records.length) return outcome;
  return { status: 'appended', records: outcome.records.slice(start, end) };
}
