/** A longer text has neither numbers nor colours: a page of a million elements would freeze. */
const MAX_LINES = 2_000;
const MAX_LENGTH = 60_000;

/** The lines of a text that are numbered; none if it has one, or too many. */
export function numberedLines(text: string): readonly string[] {
  // The last line ends with a line break, as lines do: no empty line follows it.
  const lines = text.length > MAX_LENGTH ? [] : text.replace(/(?<=[^\n])\n$/, '').split('\n');
  return lines.length < 2 || lines.length > MAX_LINES ? [] : lines;
}
