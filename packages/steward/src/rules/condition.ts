import type { ArgumentKey } from './argument-key.js';
import type { CallFacts, ToolAnnotations } from './call-facts.js';

/**
 * Whether a condition holds. `doubt`: it is unclear, as for a path with `..` in it; then a rule that allows does not
 * match, and one that asks or denies does.
 */
export type Verdict = 'yes' | 'no' | 'doubt';

/** A call with its hints as the rules see them: those of the server, overruled by the file, none absent. */
export interface JudgedCall extends CallFacts {
  readonly hints: Required<Omit<ToolAnnotations, 'title'>>;
}

/** One condition of a rule. */
export interface Condition {
  /** What it looks at, as in `arguments.path`. */
  readonly about: string;
  /** What it wants, for people. */
  readonly expected: string;
  readonly judge: (call: JudgedCall) => Verdict;
  /** True where it is not written, but holds for every rule of the kind. */
  readonly isImplied?: true;
  /** Where it is about an argument, what tells that it cannot hold. */
  readonly key?: ArgumentKey;
  /** What the call has there, for people: shortened, and with nothing invisible. */
  readonly found: (call: JudgedCall) => string;
}
