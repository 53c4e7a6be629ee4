import type { ESTree } from 'vite';
import type { SourceFile } from './repository.js';
import { literalText, placeOf, visit } from './syntax.js';

/** A title in a test file. */
export interface TestTitle {
  readonly text: string;
  /** `path:line` */
  readonly place: string;
}

const TITLED = new Set(['it', 'test', 'describe']);

/**
 * The titles in a test file: the first argument of `it(`, `test(` and `describe(`, also of `it.each(…)(`, and
 * the strings in the table of an `each`, which fill its title.
 */
export function titlesIn(file: SourceFile): readonly TestTitle[] {
  const titles: TestTitle[] = [];
  const add = (node: ESTree.Node | undefined): void => {
    const text = literalText(node);
    if (node !== undefined && text !== '') titles.push({ text, place: placeOf(file, node) });
  };
  visit(file, {
    CallExpression({ callee, arguments: [first] }) {
      if (!TITLED.has(rootName(callee))) return;
      add(first);
      for (const cell of cellsOf(first)) add(cell);
    },
  });
  return titles;
}

function rootName(node: ESTree.Node): string {
  switch (node.type) {
    case 'Identifier':
      return node.name;
    case 'MemberExpression':
      return rootName(node.object);
    case 'CallExpression':
      return rootName(node.callee);
    case 'TaggedTemplateExpression':
      return rootName(node.tag);
    default:
      return '';
  }
}

function cellsOf(node: ESTree.Node | undefined): readonly ESTree.Node[] {
  switch (node?.type) {
    case 'ArrayExpression':
      return node.elements.flatMap((element) => (element === null ? [] : [element, ...cellsOf(element)]));
    case 'ObjectExpression':
      return node.properties.flatMap((property) => (property.type === 'Property' ? [property.value] : []));
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
      return cellsOf(node.expression);
    default:
      return [];
  }
}
