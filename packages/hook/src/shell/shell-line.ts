/** A word of a command. */
export interface ShellWord {
  /** What it stands for; `null` when that is known only when the line runs. */
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
  /** The folders that it may run in, by what the line says before it; `undefined` if that cannot be told. */
  readonly folders: readonly string[] | undefined;
  /** Files that it reads from by redirection. */
  readonly inputs: readonly ShellWord[];
}

/** What a shell line runs. */
export interface ShellLine {
  readonly commands: readonly ShellCommand[];
  /** Why it cannot be told what else it runs, in the words of a sentence; empty when everything is in `commands`. */
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
