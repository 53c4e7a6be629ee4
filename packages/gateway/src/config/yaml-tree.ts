import { type Document, isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml';
import type { Place, Report } from './problem.js';
import type { MapEntry, MapTree, Tree } from './tree.js';
import { explainYaml } from './yaml-fault.js';

const MAX_NODES = 200_000;
const MAX_DEPTH = 64;

/**
 * Reads YAML (of which JSON is a part) into a tree. Reports everything that the syntax forbids; returns
 * nothing when there is no telling what was meant. An empty text is an empty section.
 */
export function parseYamlTree(text: string, source: string, report: Report): MapTree | undefined;
export function parseYamlTree(text: string, source: string, report: Report, root: 'any'): Tree | undefined;
export function parseYamlTree(text: string, source: string, report: Report, root?: 'any'): Tree | undefined {
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
  for (const { code, pos } of [...document.errors, ...document.warnings]) {
    report(place(pos[0]), '', explainYaml(code));
    readable &&= code === 'DUPLICATE_KEY' || code === 'TAG_RESOLVE_FAILED';
  }
  if (!readable) return undefined;

  const start = place(0);
  const tree = convert(document, place, report);
  if (tree === undefined) return undefined;
  if (root === 'any' || tree.kind === 'map') return tree;
  if (tree.kind === 'scalar' && tree.text === '') return { kind: 'map', entries: new Map(), at: start };
  report(
    tree.at,
    '',
    'The file must be keys with values, such as `listen:` with `http: 127.0.0.1:7420` below it.',
  );
  return undefined;
}

function convert(
  document: Document.Parsed,
  place: (offset: number) => Place,
  report: Report,
): Tree | undefined {
  let nodes = 0;
  let tooMuch = false;

  function visit(node: Node | null | undefined, owner: Place, depth: number): Tree {
    const at = !node?.range ? owner : place(node.range[0]);
    const nothing: Tree = { kind: 'scalar', text: '', plain: true, at };
    if (++nodes > MAX_NODES || depth > MAX_DEPTH) tooMuch = true;
    if (tooMuch || !node) return nothing;
    if (isAlias(node)) {
      const target = node.resolve(document);
      if (target === undefined) {
        report(
          at,
          '',
          'This alias (`*name`) stands for nothing: no anchor (`&name`) with its name comes before it.',
        );
        return nothing;
      }
      return { ...visit(target, at, depth + 1), at };
    }
    if (isScalar(node)) {
      const plain = node.type === 'PLAIN';
      return { kind: 'scalar', text: plain ? (node.source ?? '') : String(node.value), plain, at };
    }
    if (isSeq<Node>(node))
      return { kind: 'list', items: node.items.map((item) => visit(item, at, depth + 1)), at };
    const entries = new Map<string, MapEntry>();
    if (isMap<Node, Node | null>(node)) {
      for (const { key, value } of node.items) {
        if (!isScalar(key)) continue;
        const keyAt = key.range ? place(key.range[0]) : at;
        const name = String(key.value);
        // Of a key that is there twice, which was reported, the first stays.
        if (!entries.has(name)) entries.set(name, { keyAt, value: visit(value, keyAt, depth + 1) });
      }
    }
    return { kind: 'map', entries, at };
  }

  const start = place(0);
  const tree = visit(document.contents, start, 0);
  if (!tooMuch) return tree;
  report(
    start,
    '',
    `This is too much: at most ${MAX_NODES} values, nested at most ${MAX_DEPTH} deep, aliases resolved.`,
  );
  return undefined;
}
