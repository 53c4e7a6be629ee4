import { type AST, ParseError, parseTOML } from 'toml-eslint-parser';
import type { MemberNode, ObjectNode, SettingsNode } from './settings-tree.js';
import { UnreadableTextError } from './settings-tree.js';

/** An object that grows: TOML may spell one table in several places. */
interface Growing {
  readonly kind: 'object';
  readonly form: ObjectNode['form'];
  readonly start: number;
  readonly end: number;
  readonly members: MemberNode[];
}

/**
 * Reads TOML. Numbers and times are kept as they are written.
 *
 * @throws UnreadableTextError if it is not TOML
 */
export function parseTomlTree(text: string): SettingsNode {
  const root = grow('lines', [0, text.length]);
  for (const one of programOf(text).body[0].body) {
    if (one.type === 'TOMLKeyValue') add(root, one, text);
    else {
      const table = descend(root, one.resolvedKey.map(String), one);
      for (const line of one.body) add(table, line, text);
    }
  }
  return root;
}

function programOf(text: string): AST.TOMLProgram {
  try {
    return parseTOML(text);
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    throw new UnreadableTextError(text, error.index, error.message);
  }
}

function grow(form: ObjectNode['form'], [start, end]: AST.Range): Growing {
  return { kind: 'object', form, start, end, members: [] };
}

function add(to: Growing, { key, value, range: [start, end] }: AST.TOMLKeyValue, text: string): void {
  const names = key.keys.map(nameOf);
  const last = key.keys.at(-1)?.range[0] ?? start;
  const place = descend(to, names.slice(0, -1), key);
  const node = nodeOf(value, text);
  place.members.push({ key: names.at(-1) ?? '', keyPrefix: text.slice(start, last), start, end, node });
}

/** The table with this path, made if it is new. */
function descend(from: Growing, path: readonly string[], { range: [start, end] }: AST.TOMLNode): Growing {
  let place = from;
  for (const key of path) {
    const known = place.members.find((member) => member.key === key)?.node;
    if (known?.kind === 'object') place = known as Growing;
    else {
      const node = grow(place.form, [start, end]);
      place.members.push({ key, keyPrefix: '', start, end, node });
      place = node;
    }
  }
  return place;
}

function nodeOf(node: AST.TOMLContentNode, text: string): SettingsNode {
  const [start, end] = node.range;
  if (node.type === 'TOMLArray')
    return { kind: 'array', start, end, items: node.elements.map((one) => nodeOf(one, text)) };
  if (node.type === 'TOMLValue') {
    const isPlain = node.kind === 'string' || node.kind === 'boolean';
    return { kind: 'scalar', start, end, value: isPlain ? node.value : text.slice(start, end) };
  }
  const inner = grow('braces', node.range);
  for (const line of node.body) add(inner, line, text);
  return inner;
}

function nameOf(part: AST.TOMLBare | AST.TOMLQuoted): string {
  return part.type === 'TOMLBare' ? part.name : part.value;
}
