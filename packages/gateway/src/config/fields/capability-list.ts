import { type Capability, operationsInstead, parseCapability } from '@proffer/core/capability';
import { describe, formatPath, type JsonValue, quote } from '@proffer/core/json';
import {
  listed,
  nearest,
  oddText,
  type Path,
  type Report,
  type SourcePosition,
  type Tree,
  treeToJson,
} from '@proffer/reading';
import { type Field, field, listOf } from '../read/field.js';

/** Where a payload pattern is an object by the shape of messages, by the path from the capability. */
const OBJECTS: ReadonlySet<string> = new Set(['payload', 'payload.params', 'payload.params.arguments']);

/**
 * A capability as data, with the objects in its payload pattern spelled out. Patterns have no operators, so an object
 * under an argument is written `{ fields: … }`: `{ gt: 1000 }` would be taken for an argument with a field `gt`, and
 * a review entry with it would never apply. For the same reason, texts that look like an operator are reported.
 *
 * @param path - where the capability is, for problems
 */
function capabilityOf(tree: Tree, path: Path, report: Report): JsonValue {
  const payload = tree.kind === 'map' ? tree.entries.get('payload') : undefined;
  if (tree.kind !== 'map' || payload?.value.kind !== 'map') return treeToJson(tree);
  const { entries } = tree;
  const plain = { keyAt: payload.keyAt, value: spelledOut(payload.value, ['payload'], { path, report }) };
  return treeToJson({ ...tree, entries: new Map([...entries, ['payload', plain]]) });
}

interface Reporting {
  /** Of the capability. */
  readonly path: Path;
  readonly report: Report;
}

function spelledOut(tree: Tree, at: Path, reporting: Reporting): Tree {
  if (tree.kind === 'list') {
    const items = tree.items.map((item, index) => spelledOut(item, [...at, index], reporting));
    return { ...tree, items };
  }
  if (tree.kind === 'scalar') {
    reportOddText(tree.value, tree, [...reporting.path, ...at], reporting.report);
    return tree;
  }
  if (OBJECTS.has(formatPath(at))) return eachField(tree, at, reporting);
  const fields = tree.entries.size === 1 ? tree.entries.get('fields')?.value : undefined;
  if (fields?.kind === 'map') return eachField(fields, [...at, 'fields'], reporting);
  reportObject(tree, at, reporting);
  return tree;
}

function eachField(tree: Tree & { readonly kind: 'map' }, at: Path, reporting: Reporting): Tree {
  const entries = Array.from(tree.entries, ([key, { keyAt, value }]) => {
    return [key, { keyAt, value: spelledOut(value, [...at, key], reporting) }] as const;
  });
  return { ...tree, entries: new Map(entries) };
}

function reportObject(tree: Tree & { readonly kind: 'map' }, at: Path, { path, report }: Reporting): void {
  const [name] = tree.entries.keys();
  const what = name === undefined ? 'This object is empty.' : `${quote(name)} is not known here.`;
  const message = `${what} Patterns have no operators; for a field that is an object, write { fields: { … } }.`;
  report(tree.at, formatPath([...path, ...at]), message, meantBy(String(at.at(-1)), name));
}

function meantBy(key: string, name = 'NAME'): string {
  const misplaced = key === 'arguments' ? 'params: { arguments: … }' : undefined;
  return misplaced ?? nearest(key, ['params', 'arguments']) ?? `fields: { ${name}: … }`;
}

function reportOddText(value: JsonValue, { at }: Tree, path: Path, report: Report): void {
  const odd = typeof value === 'string' && !NEGATION.test(value) ? oddText(value) : undefined;
  if (odd === undefined) return;
  const message = `${describe(value)} looks like ${odd.looksLike}, but only this exact text would match; patterns have *, ** and a leading !, and nothing else.`;
  report(at, formatPath(path), message);
}

/** Not `!=` or `!~`, which come from other languages. */
const NEGATION = /^!(?![=~])/;

/** Capabilities written in place, or the name of a list under `capabilities`. */
export type CapabilityList =
  | { readonly capabilities: readonly Capability[] }
  | { readonly list: string; readonly at: SourcePosition; readonly path: string };

/** One capability (O-8). */
export const readCapability: Field<Capability>['read'] = (tree, path, report) => {
  const parsed = parseCapability(treeToJson(tree), formatPath(path));
  if (parsed.ok) {
    const spelledOut = parseCapability(capabilityOf(tree, path, report));
    if (!spelledOut.ok) return undefined;
    const { kind } = spelledOut.value;
    const operations = operationsInstead(kind);
    if (operations !== undefined) {
      const message = `${quote(kind.text)} matches no kind of message, so it grants nothing.`;
      report(tree.at, formatPath(path), message, withOperation(kind.text, operations));
      return undefined;
    }
    return spelledOut.value;
  }
  const detail = (key: string) => {
    const value = parsed.refusal.details[key];
    return typeof value === 'string' ? value : 'This';
  };
  report(tree.at, detail('field'), `${detail('found')} is invalid; expected ${detail('expected')}.`);
  return undefined;
};

/** The pattern with the operation that was probably meant: `mcp.proposal.*` for `mcp.propsal.*`. */
function withOperation(pattern: string, operations: readonly string[]): string | undefined {
  const [protocol, operation = '', ...rest] = pattern.split('.');
  const meant = nearest(operation, operations);
  return meant === undefined ? undefined : [protocol, meant, ...rest].join('.');
}

/** A list of capabilities (O-8). */
export function capabilityList(): Field<readonly Capability[]> {
  return listOf(readCapability, 'capabilities such as mcp.proposal.*');
}

/** A list of capabilities, or the name of one. */
export function grant(): Field<CapabilityList> {
  const inPlace = capabilityList();
  return field((tree, path, report) => {
    if (tree.kind === 'scalar' && tree.text !== '') {
      return { list: tree.text, at: tree.at, path: formatPath(path) };
    }
    const capabilities = inPlace.read(tree, path, report);
    return capabilities === undefined ? undefined : { capabilities };
  }, 'none');
}

/** The capabilities of a grant; reports an unknown list name. */
export function resolveGrant(
  granted: CapabilityList,
  lists: ReadonlyMap<string, readonly Capability[]>,
  report: Report,
): readonly Capability[] {
  if ('capabilities' in granted) return granted.capabilities;
  const list = lists.get(granted.list);
  if (list !== undefined) return list;
  const names = lists.size === 0 ? 'none are defined' : `there are ${listed(lists.keys())}`;
  const message = `No capability list is named ${quote(granted.list)}: ${names}. Name one of \`capabilities\`, or write a list with [ ].`;
  report(granted.at, granted.path, message, nearest(granted.list, lists.keys()));
  return [];
}

/** What is wrong with the name of a capability list, or `undefined`. */
export function checkListName(name: string): string | undefined {
  if (/^[A-Za-z][A-Za-z0-9_-]{0,63}$/.test(name)) return undefined;
  return `${quote(name)} is not a valid list name: use a letter, then letters, digits, _ and -, at most 64 characters.`;
}
