import { describe, formatPath, type JsonValue, quote } from '@proffer/core/json';
import { nearest, oddText, type Path, type Report, type Tree, treeToJson } from '@proffer/reading';

/** Where a payload pattern is an object by the shape of messages, by the path from the capability. */
const OBJECTS: ReadonlySet<string> = new Set(['payload', 'payload.params', 'payload.params.arguments']);

/**
 * A capability as data, with the objects in its payload pattern spelled out. Patterns have no operators, so an object
 * under an argument is written `{ fields: … }`: `{ gt: 1000 }` would be taken for an argument with a field `gt`, and
 * a review entry with it would never apply. For the same reason, texts that look like an operator are reported.
 *
 * @param path - where the capability is, for problems
 */
export function capabilityOf(tree: Tree, path: Path, report: Report): JsonValue {
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
  const odd = typeof value === 'string' ? oddText(value) : undefined;
  if (odd === undefined) return;
  const message = `${describe(value)} looks like ${odd.looksLike}, but only this exact text would match; patterns have * and ** and nothing else.`;
  report(at, formatPath(path), message);
}
