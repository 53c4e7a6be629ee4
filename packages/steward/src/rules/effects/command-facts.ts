/** One command of a shell line, as far as it can be known before it runs. */
export interface CommandFacts {
  /**
   * Its words, the program first. `null` means a value that is known only when the line runs: a variable, the output of
   * another command, a pattern of file names. It may turn into any number of words.
   */
  readonly words: readonly (string | null)[];
  /** Whether something other than its words changes what it does, such as a variable that is set for it. */
  readonly isAltered?: boolean;
}

/** The names of one file or folder: absolute, and where they apply `~/…` and `./…`. Empty when it is not known. */
export type PathNames = readonly string[];
