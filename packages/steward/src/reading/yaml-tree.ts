import {
  type Document,
  type ErrorCode,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
} from 'yaml';
import { isTooDeep } from './nesting.js';
import type { Place, Report } from './problem.js';
import type { MapTree, ScalarTree, Tree } from './tree.js';

const MAX_LENGTH = 8 * 1_048_576;
const MAX_NODES = 500_000;
const MAX_DEPTH = 64;

/**
 * Reads YAML (of which JSON is a part) into a tree. Reports everything that the syntax forbids, and
 * values that JSON cannot say; returns nothing when there is no telling what was meant.
 */
export function parseYamlTree(text: string, source: string, report: Report): Tree | undefined {
  const top: Place = { source, line: 1, column: 1 };
  if (text.length > MAX_LENGTH) {
    report(top, '', `This is too long: at most ${MAX_LENGTH} characters.`);
    return undefined;
  }
  if (isTooDeep(text, MAX_DEPTH)) {
    report(top, '', `This is nested too deep: at most ${MAX_DEPTH}.`);
    return undefined;
  }
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    stringKeys: true,
    merge: false,
    // Not `silent`: that would also keep a second document from being an error.
    logLevel: 'error',
  });
  const place = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { source, line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  let readable = true;
  for (const { code, pos, message } of [...document.errors, ...document.warnings]) {
    report(
      place(pos[0]),
      '',
      unclosed(message) ?? SENTENCES[code] ?? 'This is not YAML that can be understood.',
    );
    readable &&= code === 'DUPLICATE_KEY' || code === 'TAG_RESOLVE_FAILED';
  }
  return readable ? convert(document, place, report) : undefined;
}

/** The reader has no code of its own for it. */
function unclosed(message: string): string | undefined {
  const [, bracket] = /end with a ([\]}])/.exec(message) ?? [];
  return bracket === undefined ? undefined : `A bracket before here is not closed: ${bracket} is missing.`;
}

function convert(document: Document.Parsed, place: (offset: number) => Place, report: Report) {
  let nodes = 0;
  let tooMuch = false;

  function visit(node: Node | null | undefined, owner: Place, depth: number): Tree {
    const at = !node?.range ? owner : place(node.range[0]);
    const nothing: Tree = { kind: 'scalar', value: null, at };
    if (++nodes > MAX_NODES || depth > MAX_DEPTH) tooMuch = true;
    if (tooMuch || !node) return nothing;
    if (isAlias(node)) {
      report(at, '', 'Aliases (`*name`) are not used here: write it out, or, if it is a pattern, in quotes.');
      return nothing;
    }
    if (isScalar(node)) return scalarTree(node.value, at, report);
    if (isSeq<Node>(node)) {
      return { kind: 'list', items: node.items.map((item) => visit(item, at, depth + 1)), at };
    }
    const entries = new Map<string, { keyAt: Place; value: Tree }>();
    if (isMap<Node, Node | null>(node)) {
      for (const { key, value } of node.items) {
        if (!isScalar(key)) continue;
        const keyAt = key.range ? place(key.range[0]) : at;
        const name = String(key.value);
        // Of a key that is there twice, which was reported, the first stays.
        if (!entries.has(name)) entries.set(name, { keyAt, value: visit(value, keyAt, depth + 1) });
      }
    }
    return { kind: 'map', entries, at } satisfies MapTree;
  }

  const start = place(0);
  const tree = visit(document.contents, start, 0);
  if (!tooMuch) return tree;
  report(start, '', `This is too much: at most ${MAX_NODES} values, at most ${MAX_DEPTH} deep.`);
  return undefined;
}

function scalarTree(value: unknown, at: Place, report: Report): ScalarTree {
  if (typeof value === 'string' && !value.isWellFormed()) {
    report(at, '', 'This text has half of a surrogate pair; no argument can be equal to it.');
  }
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) {
    return { kind: 'scalar', value, at };
  }
  if (typeof value === 'number' && Number.isFinite(value)) return { kind: 'scalar', value, at };
  report(at, '', 'This value has no form in JSON, so no argument can be equal to it.');
  return { kind: 'scalar', value: null, at };
}

const SENTENCES: Partial<Record<ErrorCode, string>> = {
  BAD_ALIAS: 'A value that begins with a star must be in quotes: "*.txt".',
  BAD_DQ_ESCAPE: 'In double quotes \\ begins an escape, and YAML does not know this one; use single quotes.',
  BAD_INDENT: 'The indentation is wrong: keys of one section start in the same column.',
  BAD_SCALAR_START: 'A value cannot begin with this character; put the value in quotes.',
  BLOCK_AS_IMPLICIT_KEY: 'There is a second `key: value` on this line; give it a line, or quote the value.',
  BLOCK_IN_FLOW: 'Inside [ ] and { } everything is written with commas, not with lines and dashes.',
  DUPLICATE_KEY: 'This key is there twice; keep one of them.',
  MISSING_CHAR: 'Before here a quote, a bracket, a comma or a space is missing.',
  MULTILINE_IMPLICIT_KEY: 'A key must be on one line; perhaps the colon behind it is missing.',
  MULTIPLE_DOCS: 'There is a second document (`---`); the rules are one document.',
  NON_STRING_KEY: 'A key must be text.',
  TAB_AS_INDENT: 'Tabs cannot indent; use spaces.',
  TAG_RESOLVE_FAILED: 'Tags (`!name`) are not used here; remove it.',
  UNEXPECTED_TOKEN: 'This does not belong here; perhaps the indentation or a quote before it is wrong.',
};
