/** A word of a command. */
export interface ShellWord {
  /** The value of the word; `null` if it is known only at run time. It may then be any number of words. */
  readonly value: string | null;
  /** The known texts of the word, with something unknown between each two; the value alone if that is known. */
  readonly pieces: readonly string[];
  /** What is between them: any text, or for a glob something without a slash. */
  readonly gaps: readonly Gap[];
}

export type Gap = 'text' | 'name';

/** A variable that is set for a command. */
export interface ShellVariable {
  readonly name: string;
  /** `null` if it is known only at run time. */
  readonly value: string | null;
}

/** One command that a shell line runs, or may run. */
export interface ShellCommand {
  /**
   * The program first; none if only variables are set. A file that is written or read by redirection is
   * a separate command: `>` or `<`, and the file.
   */
  readonly words: readonly ShellWord[];
  /** Set for it, or before it. */
  readonly variables: readonly ShellVariable[];
  /** The folders it may run in, judging by the line before it; `undefined` if unclear. */
  readonly folders: readonly string[] | undefined;
}

/** What a shell line runs. */
export interface ShellLine {
  readonly commands: readonly ShellCommand[];
  /** Why the line is not understood, as ends of sentences; empty if everything is in `commands`. */
  readonly unknown: readonly string[];
}

/** What is known about the environment of a line. */
export interface ShellWorld {
  readonly home: string;
  readonly folder: string;
}

/** A known word. */
export function known(value: string): ShellWord {
  return { value, pieces: [value], gaps: [] };
}

/** Any words at all. */
export const ANYTHING: ShellWord = { value: null, pieces: ['', ''], gaps: ['text'] };

/** The names of files that a glob finds. */
export const ANY_NAME: ShellWord = { value: null, pieces: ['', ''], gaps: ['name'] };

/** The known text that a word begins with. */
export function beginningOf({ pieces }: ShellWord): string {
  return pieces[0] ?? '';
}

/** One word from several that are written without a space between them. */
export function joined(words: readonly ShellWord[]): ShellWord {
  const pieces = [''];
  const gaps: Gap[] = [];
  let isKnown = true;
  for (const word of words) {
    const [first = '', ...rest] = word.pieces;
    pieces.push(`${pieces.pop()}${first}`, ...rest);
    gaps.push(...word.gaps);
    isKnown &&= word.value !== null;
  }
  return { value: isKnown ? pieces.join('') : null, pieces, gaps };
}
