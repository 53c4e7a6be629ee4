import type { Refusal } from './refusal/refusal.js';

/**
 * What became of a command.
 *
 * - `records`: it is accepted; appending these records makes it true.
 * - `unchanged`: it is accepted and makes no difference: a `duplicate` of something accepted before
 *   (O-3, N-6), or `late`, about something already decided (O-16).
 * - `refused`: it is not accepted and leaves no trace (I-5).
 *
 * Either of the last two may rest on what is `due` and no record says yet, such as that time is up. Clocks differ, and
 * another gateway may be first: record that, then decide again, and only then give the answer.
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
 * The shape of both planes. `decide` and `evolve` are pure: no I/O, no clock, no random ids; what
 * they need to know is handed in.
 */
export interface Decider<State, Command, Record, Context> {
  readonly initial: State;
  readonly decide: (state: State, command: Command, context: Context) => Decision<Record>;
  readonly evolve: (state: State, record: Record) => State;
}

/** Folds records over a state; the only way any state comes about. */
export function replay<State, Record>(
  decider: Pick<Decider<State, never, Record, never>, 'initial' | 'evolve'>,
  records: Iterable<Record>,
  from: State = decider.initial,
): State {
  let state = from;
  for (const record of records) state = decider.evolve(state, record);
  return state;
}
