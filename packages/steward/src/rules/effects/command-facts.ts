/** One command of a shell line, as far as it can be known before it runs. */
export interface CommandFacts {
  /**
   * Its words, the program first. `null` is a value known only at run time: a variable, the output of
   * another command, a glob. It may expand to any number of words.
   */
  readonly words: readonly (string | null)[];
  /** Whether something other than its words changes what it does, such as a variable set for it. */
  readonly isAltered?: boolean;
}

/**
 * One place that a path stands for, in every notation that rules may use: absolute, and where they apply `~/…` and
 * `./…`. A link and its target are two places. Empty if unknown.
 */
export type PathNames = readonly string[];
