import type { CallFacts, ToolAnnotations } from '../call-facts.js';
import type { ArgumentKey } from './argument-conditions.js';

/**
 * Whether a condition holds. `doubt`: it is unclear, as for a path that contains `..`; then a rule
 * that allows does not match, and one that asks or denies does.
 */
export type ConditionResult = 'yes' | 'no' | 'doubt';

/** A call with its hints as the rules see them: the server's, overridden by the file, none absent. */
export interface JudgedCall extends CallFacts {
  readonly hints: Required<Omit<ToolAnnotations, 'title'>>;
}

/** One condition of a rule. */
export interface Condition {
  /** What it looks at, as in `arguments.path`. */
  readonly about: string;
  /** What it wants, for people. */
  readonly expected: string;
  readonly judge: (call: JudgedCall) => ConditionResult;
  /** For a condition on the command: those of its patterns that match, each as it is written. */
  readonly matching?: (call: CallFacts) => readonly string[];
  /** True for implicit conditions, which hold for every rule of the kind. */
  readonly isImplied?: true;
  /** For a condition on an argument: the key that rules it out quickly. */
  readonly key?: ArgumentKey;
  /** What the call has there, for people: shortened, without invisible characters. */
  readonly found: (call: JudgedCall) => string;
}
