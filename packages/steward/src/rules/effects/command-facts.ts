/** One command of a shell line, as far as it can be known before it runs. */
export interface CommandFacts {
  /**
   * The words of the command, the program first; none if only variables are set. `null` is a value known only at run
   * time: a variable, the output of another command, a glob. It may expand to any number of words.
   */
  readonly words: readonly (string | null)[];
  /** The command in other words, such as `git push --force` for `git -C x push -f`. They count only against it. */
  readonly otherWords?: readonly (readonly (string | null)[])[];
  /** Set for it, or before it. Only a rule that names them all allows the command. */
  readonly variables?: readonly VariableFacts[];
}

/** A variable that is set for a command; its value is `null` if it is known only at run time. */
export interface VariableFacts {
  readonly name: string;
  readonly value: string | null;
}

/**
 * One place that a path stands for, in every notation that rules may use: absolute, and where they apply `~/…` and
 * `./…`. A link and its target are two places. Empty if unknown.
 */
export type PathNames = readonly string[];
