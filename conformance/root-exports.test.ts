import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from './repository.js';
import { visit } from './syntax.js';

/** More than this, and nobody finds what they need first; the rest is in subpaths. */
const MOST = 40;

it.each(['gateway', 'steward'])(
  'the front door of %s has at most 40 names, all of them written out',
  (name) => {
    const path = `packages/${name}/src/index.ts`;
    const names: string[] = [];
    visit(
      { path, text: readFileSync(join(root, path), 'utf8') },
      {
        ExportAllDeclaration: () => names.push(...Array<string>(MOST + 1).fill('*')),
        ExportSpecifier: ({ exported }) => names.push('name' in exported ? exported.name : exported.value),
      },
    );
    expect(names).not.toHaveLength(0);
    expect(names.length).toBeLessThanOrEqual(MOST);
  },
);
