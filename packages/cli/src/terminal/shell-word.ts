/** What no POSIX shell reads anything into, nor zsh, to which a word that begins with = is a command. */
const PLAIN = /^[\w./:@%+,-][\w./:@%+,=-]*$/;

/** A text as one word for a POSIX shell: as it is where that is safe, else in single quotes. */
export function shellWord(text: string): string {
  // Nothing but the quote itself means anything between single quotes.
  return PLAIN.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** What a command is written with besides the names that it is about. */
export interface CommandParts {
  /** As they are written in the shell, with a space in front of each; default none. */
  readonly options?: string;
  /** What stands behind the names as it is, such as what the reader has to fill in; default nothing. */
  readonly more?: string;
}

/**
 * A command about things that somebody named, to be pasted into a shell.
 *
 * @param names - its arguments, which may hold anything; none of them is read as an option
 */
export function commandAbout(
  command: string,
  names: readonly string[],
  { options = '', more = '' }: CommandParts = {},
): string {
  const words = `${names.map(shellWord).join(' ')}${more === '' ? '' : ` ${more}`}`;
  const isPlain = names.every((name) => !name.startsWith('-'));
  return isPlain ? `${command} ${words}${options}` : `${command}${options} -- ${words}`;
}
