import {
  type MapTree,
  parseYamlTree as parseYaml,
  type Report,
  type Tree,
  type YamlStyle,
} from '@proffer/reading';

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
