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

/** Everything for the end of one stream, in one append. */
interface Group<State> {
  /** With the records of all of them; a copy once there are several. */
  append: Append;
  readonly first: DecisionInFlight<State>;
  /** The decisions after the first; usually none. */
  others: DecisionInFlight<State>[] | undefined;
  outcome: AppendOutcome | undefined;
}

/** Nothing is known yet. */
export const UNKNOWN: readonly AppendOutcome[] = [];

/** With fewer streams than this, a linear search is faster than a table. */
const FEW = 8;

/**
 * Decisions that go to the journal together, in their order. Those for one stream follow each other and are one append,
 * so a record never lands on a state other than the one it was decided on, whoever else writes to the stream (I-2).
 */
export class AppendBatch<State> {
  readonly decided: DecisionInFlight<State>[] = [];
  /** How many lasting changes there were by the last decision. */
  noted = 0;
  readonly #groups: Group<State>[] = [];
  #byStream: Map<string, Group<State>> | undefined;

  add(decided: DecisionInFlight<State>, noted: number): void {
    this.decided.push(decided);
    this.noted = noted;
    for (const append of decided.appends) {
      const group = this.#find(append.stream);
      if (group === undefined) this.#begin(append, decided);
      else join(group, append, decided);
    }
  }

  /**
   * Whether something can be added at the end: not if one of its streams already has an append, followed by others, or
   * one that it was not decided on. The journal refuses the latter, if it comes alone.
   */
  fits(appends: readonly Append[]): boolean {
    const last = this.#groups.at(-1)?.append;
    let end = last === undefined ? 0 : last.expectedVersion + last.records.length;
    for (const { stream, expectedVersion, records } of appends) {
      if (stream !== last?.stream) {
        if (this.#find(stream) !== undefined) return false;
      } else if (expectedVersion === end) end += records.length;
      else return false;
    }
    return true;
  }

  /** Whether part of it is for this stream. */
  has(stream: string): boolean {
    return this.#find(stream) !== undefined;
  }

  /** The records that were appended. */
  *appended(): Generator<StoredRecord> {
    for (const { outcome } of this.#groups) if (outcome?.status === 'appended') yield* outcome.records;
  }

  /** The appends that failed because another gateway was first. */
  conflicts(): readonly Append[] {
    return this.#groups.filter(({ outcome }) => outcome?.status === 'conflict').map(({ append }) => append);
  }

  /**
   * Sends everything to the journal.
   *
   * @param onLanded - called once, when the outcome of all of it is certain; true if all of it was appended
   */
  send(journal: Journal, onLanded: (isWhole: boolean) => void, onFault: (error: unknown) => void): void {
    const groups = this.#groups;
    let left = groups.length;
    let isWhole = true;
    for (const group of groups) {
      const land = (outcome: AppendOutcome): void => {
        group.outcome = outcome;
        if (outcome.status !== 'appended') isWhole = false;
        if (--left > 0) return;
        for (const one of groups) tellMembers(one);
        onLanded(isWhole);
      };
      try {
        journal.appendThen(group.append, land);
      } catch (error) {
        onFault(error);
        const refusal = refuse('unavailable', 'The journal could not be written.');
        queueMicrotask(() => land({ status: 'unavailable', refusal }));
      }
    }
  }

  #begin(append: Append, decided: DecisionInFlight<State>): void {
    const group = { append, first: decided, others: undefined, outcome: undefined };
    this.#groups.push(group);
    if (this.#byStream !== undefined) this.#byStream.set(append.stream, group);
    else if (this.#groups.length > FEW) {
      this.#byStream = new Map(this.#groups.map((one) => [one.append.stream, one]));
    }
  }

  #find(stream: string): Group<State> | undefined {
    if (this.#byStream !== undefined) return this.#byStream.get(stream);
    for (const group of this.#groups) if (group.append.stream === stream) return group;
    return undefined;
  }
}

function join<State>(group: Group<State>, append: Append, decided: DecisionInFlight<State>): void {
  const { stream, expectedVersion, records } = group.append;
  // Copied once: the first one's records are its own.
  const all = group.others === undefined ? [...records] : (records as Append['records'][number][]);
  all.push(...append.records);
  group.append = { stream, expectedVersion, records: all };
  group.others ??= [];
  if ((group.others.at(-1) ?? group.first) !== decided) group.others.push(decided);
}

/** Tells each member the outcome of its part. */
function tellMembers<State>({ append: { stream }, first, others, outcome }: Group<State>): void {
  if (outcome === undefined) return;
  if (others === undefined) return tell(first, outcome);
  const members = [first, ...others];
  if (outcome.status !== 'appended') {
    for (const member of members) tell(member, outcome);
    return;
  }
  let start = 0;
  for (const member of members) {
    const count = lengthIn(member.appends, stream);
    tell(member, { status: 'appended', records: outcome.records.slice(start, start + count) });
    start += count;
  }
}

function tell<State>(decided: DecisionInFlight<State>, outcome: AppendOutcome): void {
  decided.outcomes = decided.outcomes.length === 0 ? [outcome] : [...decided.outcomes, outcome];
}

function lengthIn(appends: readonly Append[], stream: string): number {
  let count = 0;
  for (const append of appends) if (append.stream === stream) count += append.records.length;
  return count;
}
