import type { Refusal } from './refusal/refusal.js';

/**
 * The result of a command.
 *
 * - `records`: it is accepted; appending these records makes it true.
 * - `unchanged`: it is accepted and makes no difference: a `duplicate` of something accepted before
 *   (O-3, N-6), or `late`, about something already decided (O-16).
 * - `refused`: it is not accepted and leaves no trace (I-5).
 *
 * Either of the last two may depend on something `due` that no record says yet, such as an expiry.
 * Clocks differ, and another gateway may be first: record that, then decide again, and only then
 * answer.
 */
export type Decision<Record> =
  | {
      readonly records: readonly Record[];
      readonly unchanged?: never;
      readonly refused?: never;
      readonly due?: never;
    }
  | {
      readonly unchanged: 'duplicate' | 'late';
      readonly due?: readonly Record[];
      readonly records?: never;
      readonly refused?: never;
    }
  | {
      readonly refused: Refusal;
      readonly due?: readonly Record[];
      readonly records?: never;
      readonly unchanged?: never;
    };

/**
 * The shape of both operations and negotiations. `decide` and `evolve` are pure: no I/O, no clock, no random ids;
 * everything they need is passed in.
 */
export interface Decider<State, Command, Record, Context> {
  readonly initial: State;
  readonly decide: (state: State, command: Command, context: Context) => Decision<Record>;
  readonly evolve: (state: State, record: Record) => State;
}

/** Folds records over a state; the only way to get a state. */
export function replay<State, Record>(
  decider: Pick<Decider<State, never, Record, never>, 'initial' | 'evolve'>,
  records: Iterable<Record>,
  from: State = decider.initial,
): State {
  let state = from;
  for (const record of records) state = decider.evolve(state, record);
  return state;
}
