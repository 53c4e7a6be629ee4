/** A word of a command. */
export interface ShellWord {
  /** Its value; `null` if it is known only at run time. */
  readonly value: string | null;
  /** Its known prefix; the whole word if the value is known. */
  readonly beginning: string;
}

/** One command that a shell line runs, or may run. */
export interface ShellCommand {
  /** The program first. A file that output goes to is a separate command: `>` and the file. */
  readonly words: readonly ShellWord[];
  /** Whether variables set for it, or before it, may change what it does. */
  readonly isAltered: boolean;
  /** The folders it may run in, judging by the line before it; `undefined` if unclear. */
  readonly folders: readonly string[] | undefined;
  /** Files it reads from by redirection. */
  readonly inputs: readonly ShellWord[];
}

/** What a shell line runs. */
export interface ShellLine {
  readonly commands: readonly ShellCommand[];
  /** Why it is unclear what else it runs, as sentences; empty if everything is in `commands`. */
  readonly unknown: readonly string[];
}

/** What is known about the environment of a line. */
export interface ShellWorld {
  readonly home: string;
  readonly folder: string;
}

/** A known word. */
export function known(value: string): ShellWord {
  return { value, beginning: value };
}

/** Any words at all. */
export const ANYTHING: ShellWord = { value: null, beginning: '' };
