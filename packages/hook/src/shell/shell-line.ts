/** A word of a command. */
export interface ShellWord {
  /** Its value; `null` if it is known only when the line runs. */
  readonly value: string | null;
  /** How it begins, as far as that is known; all of it when the value is. */
  readonly beginning: string;
}

/** One command that a shell line runs, or may run. */
export interface ShellCommand {
  /** The program first. A file that output goes to is a command of its own: `>` and the file. */
  readonly words: readonly ShellWord[];
  /** Whether variables that are set for it, or before it, may change what it does. */
  readonly isAltered: boolean;
  /** The folders that it may run in, judging by the line before it; `undefined` if that is unclear. */
  readonly folders: readonly string[] | undefined;
  /** Files that it reads from by redirection. */
  readonly inputs: readonly ShellWord[];
}

/** What a shell line runs. */
export interface ShellLine {
  readonly commands: readonly ShellCommand[];
  /** Why it is unclear what else it runs, as sentences; empty if everything is in `commands`. */
  readonly unknown: readonly string[];
}

/** What is known of the world that a line runs in. */
export interface ShellWorld {
  readonly home: string;
  readonly folder: string;
}

/** A word that is known. */
export function known(value: string): ShellWord {
  return { value, beginning: value };
}

/** Any words at all. */
export const ANYTHING: ShellWord = { value: null, beginning: '' };
