import type { YAMLError } from 'yaml';
import type { YamlStyle } from './yaml-tree.js';

const OTHERS = 'This is not YAML that can be understood.';

// Our own messages, because the parser's may quote the file, and with it a secret.
const SENTENCES: Partial<Record<YAMLError['code'], string>> = {
  BAD_DQ_ESCAPE: 'In double quotes \\ begins an escape, and YAML does not know this one; use single quotes.',
  BAD_INDENT: 'The indentation is wrong: keys of one section start in the same column.',
  BAD_SCALAR_START: 'A value cannot begin with this character; put the value in quotes.',
  BLOCK_AS_IMPLICIT_KEY: 'There is a second `key: value` on this line; give it a line, or quote the value.',
  BLOCK_IN_FLOW: 'Inside [ ] and { } everything is written with commas, not with lines and dashes.',
  MISSING_CHAR: 'Before here a quote, a bracket, a comma or a space is missing, or the indentation is wrong.',
  MULTILINE_IMPLICIT_KEY: 'A key must be on one line; perhaps the colon behind it is missing.',
  NON_STRING_KEY: 'A key must be text.',
  TAB_AS_INDENT: 'Tabs cannot indent; use spaces.',
  TAG_RESOLVE_FAILED: 'Tags (`!name`) are not used here; remove it.',
  UNEXPECTED_TOKEN:
    'This does not belong here; perhaps the indentation, a quote or a comma before it is wrong.',
};

const TOO_DEEP =
  'The indentation is wrong: this line is deeper than the one before it, which has a value already.';
const BESIDE_ITEM =
  'The indentation is wrong: keys of one list item start in the same column, that of the first behind the dash.';

/** A syntax error as a message, and its offset. */
export interface YamlFault {
  readonly code: YAMLError['code'];
  readonly offset: number;
  readonly message: string;
}

/**
 * The error for a duplicate key.
 *
 * @param line - where the key first occurs, counted from 1
 */
export function duplicateKey(offset: number, line: number): YamlFault {
  const message = `This key is there twice, first in line ${line}; keep one of them.`;
  return { code: 'DUPLICATE_KEY', offset, message };
}

/**
 * The parser's errors without any of the file's text. A line that is indented too far is two errors
 * for the parser, both at the previous line; the author sees one.
 */
export function explainFaults(
  text: string,
  faults: readonly YAMLError[],
  style: YamlStyle,
): readonly YamlFault[] {
  const nested = new Set(
    faults.filter(({ code }) => code === 'BLOCK_AS_IMPLICIT_KEY').map(({ pos: [start] }) => start),
  );
  const tooDeep = new Map<number, number>();
  for (const { code, pos } of faults) {
    const newline = code === 'MULTILINE_IMPLICIT_KEY' ? text.lastIndexOf('\n', pos[1] - 1) : -1;
    if (newline >= pos[0] && nested.has(pos[0])) tooDeep.set(pos[0], newline + 1);
  }
  return faults.flatMap((fault): readonly YamlFault[] => {
    const { code, pos } = fault;
    const line = tooDeep.get(pos[0]);
    if (line === undefined) return [{ code, offset: pos[0], message: explainYaml(fault, style) }];
    if (code === 'BLOCK_AS_IMPLICIT_KEY') return [];
    return [{ code, offset: code === 'MULTILINE_IMPLICIT_KEY' ? line : pos[0], message: TOO_DEEP }];
  });
}

/** What a syntax error means, without any of the file's text. */
function explainYaml({ code, message }: YAMLError, { what, aliases }: YamlStyle): string {
  // The parser has no separate code for this.
  const [, bracket] = /end with a ([\]}])/.exec(message) ?? [];
  if (bracket !== undefined) return `A bracket before here is not closed: ${bracket} is missing.`;
  if (message.startsWith('Sequence item without')) return BESIDE_ITEM;
  if (code === 'MULTIPLE_DOCS')
    return `There is a second document (\`---\`); wanted: ${what} in one document.`;
  if (code === 'BAD_ALIAS') {
    return aliases === 'resolved'
      ? 'This alias (`*name`) is not well formed.'
      : 'A value that begins with a star must be in quotes: "*.txt".';
  }
  return SENTENCES[code] ?? OTHERS;
}
