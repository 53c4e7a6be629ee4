import {
  isNothing,
  type MapTree,
  type Path,
  parseYamlTree as parseYaml,
  type Report,
  type ScalarTree,
  type SourcePosition,
  type Tree,
  type YamlStyle,
} from '@proffer/reading';

/** The tree with another one inserted at a path of keys; missing sections are created. */
export function withTree(root: MapTree, path: readonly string[], tree: Tree): MapTree {
  const [key, ...rest] = path;
  if (key === undefined) return root;
  const entries = new Map(root.entries);
  const entry = entries.get(key);
  const empty: MapTree = { kind: 'map', entries: new Map(), at: tree.at };
  const child = entry === undefined || isNothing(entry.value) ? empty : entry.value;
  // A value in place of a section stays: the problem is reported when it is read.
  const value = rest.length === 0 ? tree : child.kind === 'map' ? withTree(child, rest, tree) : child;
  entries.set(key, { keyAt: entry?.keyAt ?? tree.at, value });
  return { ...root, entries };
}

/** The tree at a path of keys and list indexes, if it exists. */
export function findTree(root: Tree, path: Path): Tree | undefined {
  return path.reduce<Tree | undefined>((tree, key) => {
    if (tree?.kind === 'list') return typeof key === 'number' ? tree.items[key] : undefined;
    return tree?.kind === 'map' ? tree.entries.get(String(key))?.value : undefined;
  }, root);
}

/** The position of the key itself, not of its value. */
export function keyPlaceOf(root: Tree, path: Path): SourcePosition {
  const owner = findTree(root, path.slice(0, -1));
  const entry = owner?.kind === 'map' ? owner.entries.get(String(path[path.length - 1] ?? '')) : undefined;
  return entry?.keyAt ?? placeOf(root, path);
}

/** The position of a value (for a section or list: of its key), or of the nearest section around it. */
export function placeOf(root: Tree, path: Path): SourcePosition {
  const tree = findTree(root, path);
  if (tree === undefined) return path.length === 0 ? root.at : placeOf(root, path.slice(0, -1));
  if (tree.kind === 'scalar' || path.length === 0 || typeof path.at(-1) === 'number') return tree.at;
  return keyPlaceOf(root, path);
}

/** The text of an environment variable as a scalar; nothing if YAML would read it as null. */
export function textTree(text: string, at: SourcePosition): ScalarTree {
  return { kind: 'scalar', text, plain: true, value: /^(?:|~|null)$/.test(text) ? null : text, at };
}

/** Scalars stay text until a reader knows their type: nothing becomes a number just because it looks like one. */
const STYLE: YamlStyle = { what: 'the configuration', aliases: 'resolved', values: 'text' };

/**
 * Reads the YAML of a configuration into a tree. Reports all syntax errors; returns `undefined` if the text cannot be
 * interpreted. An empty text is an empty section.
 */
export function parseYamlTree(text: string, source: string, report: Report): MapTree | undefined;
export function parseYamlTree(text: string, source: string, report: Report, root: 'any'): Tree | undefined;
export function parseYamlTree(text: string, source: string, report: Report, root?: 'any'): Tree | undefined {
  const tree = parseYaml(text, source, report, STYLE);
  if (tree === undefined || root === 'any' || tree.kind === 'map') return tree;
  if (tree.kind === 'scalar' && tree.text === '')
    return { kind: 'map', entries: new Map(), at: { source, line: 1, column: 1 } };
  report(
    tree.at,
    '',
    'The file must contain keys with values, such as `listen:` with `http: 127.0.0.1:7420` below it.',
  );
  return undefined;
}
