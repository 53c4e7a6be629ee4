import { type ESTree, parseSync, Visitor, type VisitorObject } from 'vite';
import type { SourceFile } from './repository.js';

/** Walks the syntax tree of a file. Throws if the file is not valid TypeScript. */
export function visit({ path, text }: SourceFile, handlers: VisitorObject): void {
  const { errors, program } = parseSync(path, text);
  if (errors[0] !== undefined) throw new SyntaxError(`${path}: ${errors[0].message}`);
  new Visitor(handlers).visit(program);
}

/** Where a node begins, as `path:line`, which editors and terminals turn into a link. */
export function placeOf({ path, text }: SourceFile, node: { readonly start: number }): string {
  return `${path}:${text.slice(0, node.start).split('\n').length}`;
}

/**
 * The literal text of an expression: strings, templates (`…` for each inserted value) and concatenations.
 * Empty if there is none.
 */
export function literalText(node: ESTree.Node | undefined): string {
  switch (node?.type) {
    case 'Literal':
      return typeof node.value === 'string' ? node.value : '';
    case 'TemplateLiteral':
      return node.quasis.map((part) => part.value.cooked ?? '').join('…');
    case 'BinaryExpression':
      return literalText(node.left) + literalText(node.right);
    default:
      return '';
  }
}
