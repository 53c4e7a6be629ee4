import type { YAMLError } from 'yaml';
import type { YamlStyle } from './yaml-tree.js';

const OTHERS = 'This is not valid YAML.';

// Our own messages, because the parser's may quote the file, and with it a secret.
const SENTENCES: Partial<Record<YAMLError['code'], string>> = {
  BAD_DQ_ESCAPE: 'In double quotes \\ starts an escape sequence, and this one is unknown; use single quotes.',
  BAD_INDENT: 'Wrong indentation: all keys of a section must start in the same column.',
  BAD_SCALAR_START: 'A value cannot start with this character; quote the value.',
  BLOCK_AS_IMPLICIT_KEY: 'This line has a second `key: value`; move it to its own line, or quote the value.',
  BLOCK_IN_FLOW: 'Inside [ ] and { }, separate items with commas, not with lines and dashes.',
  MISSING_CHAR: 'A quote, bracket, comma or space is missing before this, or the indentation is wrong.',
  MULTILINE_IMPLICIT_KEY: 'A key must be on one line; the colon after it may be missing.',
  NON_STRING_KEY: 'A key must be text.',
  TAB_AS_INDENT: 'Tabs cannot indent; use spaces.',
  TAG_RESOLVE_FAILED: 'Tags (`!name`) are not supported here; remove the tag.',
  UNEXPECTED_TOKEN: 'Unexpected text; check the indentation, quotes and commas before it.',
};

const TOO_DEEP =
  'Wrong indentation: this line is indented further than the one before it, which already has a value.';
const BESIDE_ITEM =
  'Wrong indentation: all keys of a list item must start in the same column as its first key, after the dash.';

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
  const message = `Duplicate key, first used on line ${line}; remove one of them.`;
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
  if (bracket !== undefined) return `Unclosed bracket before this: ${bracket} is missing.`;
  if (message.startsWith('Sequence item without')) return BESIDE_ITEM;
  if (code === 'MULTIPLE_DOCS')
    return `A second document starts here (\`---\`); expected ${what} in one document.`;
  if (code === 'BAD_ALIAS') {
    return aliases === 'resolved'
      ? 'This alias (`*name`) is malformed.'
      : 'A value that starts with * must be quoted: "*.txt".';
  }
  return SENTENCES[code] ?? OTHERS;
}
