/** Characters with no special meaning in POSIX shells or zsh, where a leading = starts a command. */
const PLAIN = /^[\w./:@%+,-][\w./:@%+,=-]*$/;

/** A text as one word for a POSIX shell: unchanged if that is safe, else in single quotes. */
export function shellWord(text: string): string {
  // Between single quotes, only the quote itself is special.
  return PLAIN.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** The parts of a command other than its arguments. */
export interface CommandParts {
  /** In shell syntax, each with a leading space; default: none. */
  readonly options?: string;
  /** Text to append unquoted, such as placeholders; default: none. */
  readonly more?: string;
}

/**
 * A command with arguments from others, safe to paste into a shell.
 *
 * @param names - its arguments, which may contain anything; none is read as an option
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
