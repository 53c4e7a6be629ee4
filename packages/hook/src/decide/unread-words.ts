import type { ShellWord } from '../shell/index.js';

/** A word as far as it can be told. */
export type PartialWord = Pick<ShellWord, 'pieces' | 'gaps'>;

/** Stands for what is known only at run time. */
const GAP = '\0';
/** None goes beyond another that opens, so that a long line is read once. */
const EXPANSION = /\$\(\([^()]*\)\)|\$\([^()]*\)|\$\{[^{}]*\}|`[^`]*`|\$\w+|\$./g;
const DOCUMENT = /<<-?[ \t]*(['"\\]?)(\w+)\1(.*)\n[\s\S]*?\n[ \t]*\2(?=\n|$)/g;

/**
 * The words of a line that is not understood, read generously: quotes are dropped and escapes decoded, each expansion
 * is a gap, and what is in it or beside `=` is a word, too. The texts of here-documents are left out.
 */
export function unreadWords(line: string): readonly PartialWord[] {
  const plain = withoutQuotes(line.replaceAll(DOCUMENT, ' $3 ').replaceAll(GAP, ' '));
  const outer = plain.replaceAll(EXPANSION, GAP).replaceAll(/\[[^[\]\s]*\]|\{[^{}\s]*\}|[*?]+/g, GAP);
  const inner = plain.replaceAll(/[${}`]/g, ' ');
  const words = `${outer} ${inner}`.split(/[\s;|&()<>]+/);
  const parts = words.join(' ').split(/[ =:,]/);
  return [...new Set(words.concat(parts))].map((word) => {
    const pieces = word.split(GAP);
    return { pieces, gaps: pieces.slice(1).map(() => 'text' as const) };
  });
}

/** A line as if its quotes were not there, and its escapes decoded. */
export function withoutQuotes(line: string): string {
  return decoded(line).replaceAll(/['"\\]/g, '');
}

/** The escapes of `$'…'`. */
function decoded(text: string): string {
  return text.replaceAll(/\\(?:x([0-9a-f]{1,2})|u([0-9a-f]{1,4})|([0-7]{1,3}))/gi, (_, hex, unicode, octal) =>
    String.fromCharCode(
      octal === undefined ? Number.parseInt(hex ?? unicode, 16) : Number.parseInt(octal, 8),
    ),
  );
}
