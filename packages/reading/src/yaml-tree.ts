import type { CST, Document, Node, Scalar } from 'yaml';
import type { Report, SourcePosition } from './problem.js';
import type { MapEntry, ScalarTree, Tree } from './tree.js';
import { duplicateKey, explainFaults } from './yaml-fault.js';
import { yamlLibrary } from './yaml-library.js';

/** The part of a line that may be shown: its indentation, dashes and key. A value may be a secret. */
const SHOWN = /^[ \t]*(?:- +)*(?:-$|[\w.-]+:(?=\s|$))?/;

/** Stands for what is left out. */
const HIDDEN = '…';

const LONGEST = 500;
/** How many blank lines and comments to skip when looking for the previous line. */
const MAX_LINES_BACK = 20;

/**
 * The faulty line and the one before it, with a caret below the position; all values are left out.
 * `undefined` for a single-line text, and for lines longer than anybody writes.
 *
 * @param lines - all lines of the text
 * @param line - counted from 1
 * @param column - counted from 1
 */
function excerptOf(lines: readonly string[], line: number, column: number): string | undefined {
  const at = lines[line - 1];
  if (at === undefined || lines.length < 2 || at.length > LONGEST) return undefined;
  const width = String(line).length;
  const gutter = (number: string): string => `  ${number.padStart(width)} | `;
  const first = Math.max(0, line - 1 - MAX_LINES_BACK);
  const above = lines.slice(first, line - 1).findLastIndex((one) => /^\s*[^\s#]/.test(one.slice(0, LONGEST)));
  const before = above === -1 ? -1 : first + above;
  const shown = withoutValue(at);
  // What is left out is one character: the caret is below it, wherever in it the position is.
  const last = shown.endsWith(HIDDEN) ? shown.length - 1 : shown.length;
  const caret = Math.min(column - 1, last);
  return [
    ...(before === -1 ? [] : [`${gutter(String(before + 1))}${withoutValue(lines[before] ?? '')}`]),
    `${gutter(String(line))}${shown}`,
    `${gutter('')}${' '.repeat(caret)}^`,
  ].join('\n');
}

function withoutValue(line: string): string {
  const [shown = ''] = SHOWN.exec(line) ?? [];
  // A tab would move the caret.
  const visible = shown.replaceAll('\t', ' ');
  if (line.slice(shown.length).trim() === '') return visible.trimEnd();
  return `${visible.endsWith(':') ? `${visible} ` : visible}${HIDDEN}`;
}

/** How to read a file. */
export interface YamlStyle {
  /** The content of the file, for messages: `the rules`. */
  readonly what: string;
  /** Whether an alias (`*name`) is resolved to its anchor, or is a problem. */
  readonly aliases: 'resolved' | 'refused';
  /** Whether every value must be representable in JSON, or may be text that a reader interprets. */
  readonly values: 'json' | 'text';
}

const MAX_LENGTH = 1_048_576;
const MAX_NODES = 100_000;
const MAX_DEPTH = 64;
const TOO_MUCH = `too large: at most ${MAX_NODES} values, nested at most ${MAX_DEPTH} levels deep, with aliases resolved`;

type Placing = (offset: number) => SourcePosition;

/**
 * Parses YAML (which includes JSON) into a tree. Reports every syntax error; returns nothing if the
 * content is ambiguous.
 */
export function parseYamlTree(
  text: string,
  source: string,
  report: Report,
  style: YamlStyle,
): Tree | undefined {
  const top: SourcePosition = { source, line: 1, column: 1 };
  if (text.length > MAX_LENGTH) {
    report(top, '', `This is too long: at most ${MAX_LENGTH} characters.`);
    return undefined;
  }
  const excess = excessOf(text, { levels: MAX_DEPTH, values: MAX_NODES });
  if (excess !== undefined) {
    const most = excess === 'levels' ? `nested too deeply: at most ${MAX_DEPTH}` : TOO_MUCH;
    report(top, '', `This is ${most}.`);
    return undefined;
  }
  const { LineCounter, parseDocument } = yamlLibrary();
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    stringKeys: true,
    merge: false,
    // Checked below: the parser's check is quadratic in the number of keys.
    uniqueKeys: false,
    // Not `silent`: that would also accept a second document.
    logLevel: 'error',
  });
  const place: Placing = (offset) => {
    const { line, col } = lines.linePos(offset);
    return { source, line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  let readable = true;
  const faults = [
    ...explainFaults(text, [...document.errors, ...document.warnings], style),
    ...duplicateKeys(document.contents).map(({ offset, first }) => duplicateKey(offset, place(first).line)),
  ].sort((one, other) => one.offset - other.offset);
  const written = faults.length > 0 ? text.split(/\r?\n/) : [];
  for (const { code, offset, message } of faults) {
    const at = afterIndentation(place(offset), written);
    const excerpt = excerptOf(written, at.line, at.column);
    report(excerpt === undefined ? at : { ...at, excerpt }, '', message);
    readable &&= code === 'DUPLICATE_KEY' || code === 'TAG_RESOLVE_FAILED';
  }
  return readable ? convert(document, place, report, style) : undefined;
}

/** A position in the indentation of a line means the text after it. */
function afterIndentation(at: SourcePosition, written: readonly string[]): SourcePosition {
  const [indentation = ''] = /^[ \t]*/.exec(written[at.line - 1]?.slice(0, LONGEST_INDENTATION) ?? '') ?? [];
  return { ...at, column: Math.max(at.column, indentation.length + 1) };
}

/** No more of a line is looked at for its first character. */
const LONGEST_INDENTATION = 1_000;

function convert(
  document: Document.Parsed,
  place: Placing,
  report: Report,
  { aliases, values }: YamlStyle,
): Tree | undefined {
  let nodes = 0;
  let tooMuch = false;

  const { isAlias, isMap, isScalar, isSeq } = yamlLibrary();

  function visit(node: Node | null | undefined, owner: SourcePosition, depth: number): Tree {
    const at = !node?.range ? owner : place(node.range[0]);
    const nothing: Tree = { kind: 'scalar', text: '', plain: true, value: null, at };
    if (++nodes > MAX_NODES || depth > MAX_DEPTH) tooMuch = true;
    if (tooMuch || !node) return nothing;
    if (isAlias(node)) {
      const target = aliases === 'resolved' ? node.resolve(document) : undefined;
      if (target !== undefined) return { ...visit(target, at, depth + 1), at };
      const message =
        aliases === 'resolved'
          ? 'This alias (`*name`) has no anchor (`&name`) before it.'
          : 'Aliases (`*name`) are not supported here: write the value out, or quote it if it is a pattern.';
      report(at, '', message);
      return nothing;
    }
    if (isScalar(node)) {
      const wrong = values === 'json' ? whyNotJson(node) : undefined;
      if (wrong !== undefined) report(at, '', wrong);
      return scalarTree(node, at);
    }
    if (isSeq<Node>(node))
      return { kind: 'list', items: node.items.map((item) => visit(item, at, depth + 1)), at };
    const entries = new Map<string, MapEntry>();
    if (isMap<Node, Node | null>(node)) {
      for (const { key, value } of node.items) {
        if (!isScalar(key)) continue;
        const keyAt = key.range ? place(key.range[0]) : at;
        const name = String(key.value);
        // Of duplicate keys, which were reported, the first one counts.
        if (!entries.has(name)) entries.set(name, { keyAt, value: visit(value, keyAt, depth + 1) });
      }
    }
    return { kind: 'map', entries, at };
  }

  const start = place(0);
  const tree = visit(document.contents, start, 0);
  if (!tooMuch) return tree;
  report(start, '', `This is ${TOO_MUCH}.`);
  return undefined;
}

function scalarTree(node: Scalar, at: SourcePosition): ScalarTree {
  const plain = node.type === 'PLAIN';
  const text = plain ? (node.source ?? '') : String(node.value);
  return { kind: 'scalar', text, plain, value: isJsonScalar(node.value) ? node.value : text, at };
}

function isJsonScalar(value: unknown): value is ScalarTree['value'] {
  if (typeof value === 'number') return Number.isFinite(value);
  return typeof value === 'string' || typeof value === 'boolean' || value === null;
}

function whyNotJson({ value, type, source }: Scalar): string | undefined {
  if (!isJsonScalar(value)) return 'This value cannot be written as JSON, so no argument can equal it.';
  if (typeof value === 'number' && type === 'PLAIN' && isChanged(source ?? '', value))
    return 'This integer has too many digits for a number, so no argument can equal it.';
  if (typeof value !== 'string' || value.isWellFormed()) return undefined;
  return 'This text has an unpaired surrogate, so no argument can equal it.';
}

/** Whether a double cannot represent the integer as written. */
function isChanged(written: string, value: number): boolean {
  const [, sign, digits] = /^([-+]?)(\d+|0x[\da-f]+|0o[0-7]+)$/i.exec(written) ?? [];
  if (digits === undefined || Number.isSafeInteger(value)) return false;
  const exact = BigInt(digits);
  return BigInt(value) !== (sign === '-' ? -exact : exact);
}

/** A duplicate key of a map, as offsets in the text. */
interface DuplicateKey {
  readonly offset: number;
  /** Where the key first occurs. */
  readonly first: number;
}

/**
 * All duplicate keys, including those below a duplicate; none is reported twice because of an alias.
 * Runs in linear time, unlike the parser's own check, which compares each key with all previous ones.
 */
function duplicateKeys(contents: Node | null): readonly DuplicateKey[] {
  const { isMap, isScalar, isSeq } = yamlLibrary();
  const found: DuplicateKey[] = [];
  function look(node: unknown): void {
    if (isSeq(node)) for (const item of node.items) look(item);
    if (!isMap(node)) return;
    const seen = new Map<string, number>();
    for (const { key, value } of node.items) {
      if (isScalar(key)) {
        const name = String(key.value);
        const offset = key.range?.[0] ?? 0;
        const first = seen.get(name);
        if (first === undefined) seen.set(name, offset);
        else found.push({ offset, first });
      }
      look(value);
    }
  }
  look(contents);
  return found;
}

/** Limits for YAML: nesting depth and number of values. */
interface YamlLimits {
  readonly levels: number;
  readonly values: number;
}

/**
 * Which limit the YAML exceeds, judged from its tokens alone. The parser recurses as deep as the
 * nesting and takes far longer per value, so a crafted text could exhaust the stack or keep it busy
 * for minutes.
 */
function excessOf(text: string, most: YamlLimits): keyof YamlLimits | undefined {
  /** The columns at which the open blocks start. */
  const blocks: number[] = [];
  let flows = 0;
  let values = 0;
  let column = 0;
  let isLineStart = true;
  const openBlock = (): boolean => {
    blocks.push(column);
    return blocks.length + flows > most.levels;
  };
  const library = yamlLibrary();
  for (const token of new library.Lexer().lex(text)) {
    const type = library.CST.tokenType(token);
    if (isOneValue(type) && ++values > most.values) return 'values';
    if (type === 'newline') {
      column = 0;
      isLineStart = true;
      continue;
    }
    if (type === 'space' || type === 'byte-order-mark' || type === 'doc-mode' || type === 'scalar') {
      if (type === 'space') column += token.length;
      continue;
    }
    if (isLineStart && flows === 0 && type !== 'comment') {
      while ((blocks.at(-1) ?? -1) >= column) blocks.pop();
      if (openBlock()) return 'levels';
    }
    isLineStart = false;
    if (type === 'flow-map-start' || type === 'flow-seq-start') {
      if (blocks.length + ++flows > most.levels) return 'levels';
    } else if (type === 'flow-map-end' || type === 'flow-seq-end') flows = Math.max(0, flows - 1);
    else if (type === 'seq-item-ind' || type === 'explicit-key-ind') {
      if (openBlock()) return 'levels';
    }
    column += token.length;
  }
  return undefined;
}

/** For a pair without a value or an empty item, the surrounding token counts. */
function isOneValue(type: CST.TokenType | null): boolean {
  switch (type) {
    case 'scalar':
    case 'single-quoted-scalar':
    case 'double-quoted-scalar':
    case 'block-scalar-header':
    case 'alias':
    case 'flow-map-start':
    case 'flow-seq-start':
    case 'seq-item-ind':
      return true;
    default:
      return false;
  }
}
