/** How the lines of a text end; `none` if it is one line. */
type LineEnds = 'none' | 'LF' | 'CRLF' | 'mixed';

/** A text whose lines all end with CRLF, without the carriage returns; in words what was left out. */
export interface PlainLines {
  readonly text: string;
  readonly ends: LineEnds;
}

/**
 * Leaves out the carriage returns of a text if every line ends with one: they are said once, in words. In any other
 * text they stay, and are marked where they are.
 */
export function plainLines(text: string): PlainLines {
  const breaks = text.match(/\r?\n/g) ?? [];
  const returns = breaks.filter((each) => each.length === 2).length;
  if (breaks.length === 0) return { text, ends: 'none' };
  if (returns === 0) return { text, ends: 'LF' };
  if (returns < breaks.length) return { text, ends: 'mixed' };
  return { text: text.replaceAll('\r\n', '\n'), ends: 'CRLF' };
}

/** What a text's line ends are, if they are not the usual ones. */
export function describeEnds({ ends }: PlainLines): string | undefined {
  return ends === 'CRLF' ? 'Lines end with CRLF (Windows).' : undefined;
}

/** What happens to the line ends of a text that is changed; `undefined` if they are and stay the usual ones. */
export function describeChangedEnds(before: PlainLines, after: PlainLines): string | undefined {
  const isChange = before.ends !== after.ends && before.ends !== 'none' && after.ends !== 'none';
  if (isChange) return `Line endings change from ${before.ends} to ${after.ends}.`;
  return describeEnds(before) ?? describeEnds(after);
}

/** A longer text has neither numbers nor colours: a page of a million elements would freeze. */
const MAX_LINES = 2_000;
const MAX_LENGTH = 60_000;

/** The lines of a text that are numbered; none if it has one, or too many. */
export function numberedLines(text: string): readonly string[] {
  // The last line ends with a line break, as lines do: no empty line follows it.
  const lines = text.length > MAX_LENGTH ? [] : text.replace(/(?<=[^\n])\n$/, '').split('\n');
  return lines.length < 2 || lines.length > MAX_LINES ? [] : lines;
}
