import type { ESTree } from 'vite';
import type { SourceFile } from './repository.js';
import { literalText, placeOf, visit } from './syntax.js';

/** An import of a file, for values or only for types. */
export interface Import {
  readonly specifier: string;
  /** `path:line` */
  readonly place: string;
}

/** Every import of a file: `import`, `export … from`, `import()` and import types. */
export function importsOf(file: SourceFile): readonly Import[] {
  const imports: Import[] = [];
  const add = (source: ESTree.Node | null): void => {
    if (source === null) return;
    imports.push({ specifier: literalText(source), place: placeOf(file, source) });
  };
  visit(file, {
    ImportDeclaration: ({ source }) => add(source),
    ExportNamedDeclaration: ({ source }) => add(source),
    ExportAllDeclaration: ({ source }) => add(source),
    ImportExpression: ({ source }) => add(source),
    TSImportType: ({ source }) => add(source),
  });
  return imports;
}
