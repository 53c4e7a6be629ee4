import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Layers, layeringProblems } from './layering.js';
import allowed from './layers.json' with { type: 'json' };
import { commentProblems, namingProblems, typeNameProblems } from './naming.js';
import { purityProblems } from './purity.js';
import { isForTests, type Manifest, manifestOf, packageNames, root, sourceFiles } from './repository.js';

const files = sourceFiles();
const layers: Layers = {
  allowed,
  manifestOf,
  housesOfRooms: [
    'packages/gateway/src',
    'packages/gateway/src/transports',
    'packages/hook/src',
    'packages/mcp/src/guard',
  ],
  siblings: ['packages/gateway/src/transports'],
  // Whoever works on approvals never needs to open these.
  doors: {
    'packages/core/src/negotiation': ['index.js', 'retention.js'],
    'packages/client/src/negotiation': ['index.js', 'node.js', 'browser.js'],
    'packages/cli/src/negotiation': ['index.js'],
  },
  apart: ['operations', 'negotiation'],
};

function lines(problems: readonly string[]): string {
  return problems.join('\n');
}

describe('repository', () => {
  it('assigns every package to a layer', () => {
    expect(Object.keys(allowed)).toEqual(expect.arrayContaining([...packageNames()]));
  });

  it('has no cycles between layers: each uses only those listed before it', () => {
    const names = Object.keys(allowed);
    for (const [index, uses] of Object.values(allowed).entries()) {
      expect(names.slice(0, index)).toEqual(expect.arrayContaining(uses));
    }
  });

  it('has dependencies that point towards core', () => {
    expect(lines(files.flatMap((file) => layeringProblems(file, layers)))).toBe('');
  });

  it('has a core that uses no clock, no random numbers and no host APIs', () => {
    const core = files.filter(({ path }) => path.startsWith('packages/core/src/') && !isForTests(path));
    expect(core).not.toHaveLength(0);
    expect(lines(core.flatMap((file) => purityProblems(file)))).toBe('');
  });

  it('compiles core against the language alone', () => {
    const options = ['tsconfig.base.json', 'packages/core/tsconfig.json'].map(
      (path) => JSON.parse(readFileSync(join(root, path), 'utf8')).compilerOptions as object,
    );
    expect(Object.assign({}, ...options)).toMatchObject({
      lib: ['ES2023', 'ES2024.String'],
      types: [],
    });
  });

  it('has kebab-case file names for one concept', () => {
    expect(lines(files.flatMap((file) => namingProblems(file)))).toBe('');
  });

  const published = files.filter(({ path }) => /^packages\/[^/]+\/src\//.test(path) && !isForTests(path));

  it('has one type for each exported name, and the words of the glossary', () => {
    expect(lines(typeNameProblems(published))).toBe('');
  });

  it('has comments that name their subject', () => {
    expect(lines(published.flatMap((file) => commentProblems(file)))).toBe('');
  });
});

describe('rules', () => {
  const manifests: Readonly<Record<string, Manifest>> = {
    '': { devDependencies: { vitest: '1' } },
    'packages/core': { exports: { '.': {}, './negotiation': {} } },
    'packages/gateway': { exports: { '.': {} }, dependencies: { '@proffer/core': '1', ws: '8' } },
  };
  const sample: Layers = {
    allowed: { core: [], gateway: ['core'], client: ['core'] },
    manifestOf: (folder) => manifests[folder] ?? {},
    housesOfRooms: ['packages/gateway/src/house'],
    siblings: ['packages/gateway/src/apart'],
    doors: { 'packages/core/src/negotiation': ['index.js'] },
    apart: ['operations', 'negotiation'],
  };

  it.each([
    ['packages/core/src/a.ts', "import 'node:fs';"],
    ['packages/core/src/a.ts', "import { x } from 'ws';"],
    ['packages/core/src/a.ts', "import type { X } from '@proffer/gateway';"],
    ['packages/core/src/a.test.ts', "import { X } from '@proffer/gateway';"],
    ['packages/core/src/a.ts', "export * from '../../gateway/src/b.js';"],
    ['packages/client/src/a.ts', "import { x } from '@proffer/gateway';"],
    ['packages/client/src/a.ts', "import { x } from '@proffer/core';"],
    ['packages/gateway/src/a.ts', "import { x } from '@proffer/core/src/json/json.js';"],
    ['packages/gateway/src/a.ts', "const x = await import('@proffer/client');"],
    ['packages/gateway/src/a.ts', 'const x = await import(name);'],
    ['packages/gateway/src/a.ts', "type X = import('@proffer/client').X;"],
    ['packages/gateway/src/a.ts', "import { it } from 'vitest';"],
    ['packages/gateway/src/a.ts', "import { readFile } from 'fs/promises';"],
    ['bench/src/a.ts', "import { x } from '../../packages/core/src/index.js';"],
    ['packages/gateway/src/house/one/a.ts', "import { x } from '../other/b.js';"],
    ['packages/gateway/src/a.ts', "import { x } from './house/other/b.js';"],
    ['packages/gateway/src/apart/one/a.ts', "import { x } from '../other/index.js';"],
    ['packages/core/src/a.ts', "import { x } from './negotiation/b.js';"],
    ['packages/core/src/operations/a.ts', "import type { X } from '../negotiation/index.js';"],
    ['packages/core/src/negotiation/inside/a.ts', "import { x } from '../../operations/index.js';"],
    ['packages/gateway/src/operations/a.ts', "import { x } from '@proffer/core/negotiation';"],
  ])('reject in %s: %s', (path, text) => {
    expect(layeringProblems({ path, text }, sample)).toEqual([expect.stringMatching(`^${path}:1: .`)]);
  });

  it.each([
    ['packages/core/src/a.ts', "import { x } from './json/json.js';"],
    ['packages/core/src/a.test.ts', "import { it } from 'vitest'; import 'node:fs';"],
    ['packages/gateway/src/a.ts', "import { x } from '@proffer/core'; import ws from 'ws/lib/x.js';"],
    ['packages/gateway/src/testing/a.ts', "import { it } from 'vitest';"],
    ['packages/gateway/src/house/one/a.ts', "import { x } from '../other/index.js'; import './b.js';"],
    ['packages/gateway/src/house/one/a.ts', "import { x } from '../house.js';"],
    ['packages/gateway/src/house/one/a.ts', "import { x } from '../other/inside/index.js';"],
    ['packages/gateway/src/apart/one/a.ts', "import { x } from '../shared.js'; import './b.js';"],
    ['packages/gateway/src/house/one/a.test.ts', "import { x } from '../other/b.js';"],
    ['packages/core/src/a.ts', "import { x } from './negotiation/index.js';"],
    ['packages/core/src/negotiation/a.ts', "import { x } from './inside/b.js';"],
    ['packages/gateway/src/negotiation/a.ts', "import { x } from '@proffer/core/negotiation';"],
    ['packages/core/src/operations/a.test.ts', "import { x } from '../negotiation/index.js';"],
  ])('allow in %s: %s', (path, text) => {
    expect(layeringProblems({ path, text }, sample)).toEqual([]);
  });

  it.each([
    'const now = Date.now();',
    'const now = new Date();',
    'const now = Date();',
    'const chance = Math.random();',
    'const host = globalThis;',
    "const order = 'a'.localeCompare('b');",
    'declare const process: { readonly pid: number };',
    'declare global { var host: string; }',
  ])('reject in core: %s', (text) => {
    expect(purityProblems({ path: 'a.ts', text })).toHaveLength(1);
  });

  it('allow parsing a given time in core', () => {
    expect(purityProblems({ path: 'a.ts', text: 'new Date(now).toISOString(); Date.parse(text);' })).toEqual(
      [],
    );
  });

  it.each([
    'packages/core/src/versionedMap.ts',
    'packages/core/src/Json/json.ts',
    'packages/core/src/json/utils.ts',
    'packages/core/src/json/types.ts',
    'packages/core/src/json/parse.fast.test.ts',
    'packages/core/src/json/parse.slow.ts',
  ])('reject the file %s', (path) => {
    expect(namingProblems({ path, text: '' })).toHaveLength(1);
  });

  it('reject a second type with the same exported name', () => {
    const one = { path: 'packages/core/src/a.ts', text: 'export interface Draft {}' };
    const other = { path: 'packages/client/src/b.ts', text: 'export type Draft = string;' };
    expect(typeNameProblems([one, { ...other, text: 'type Draft = string;' }])).toEqual([]);
    expect(typeNameProblems([one, other])).toEqual([
      'packages/client/src/b.ts: Draft is also the name of a type in packages/core/src/a.ts',
    ]);
  });

  it('reject a type under another word than the one in the glossary', () => {
    expect(typeNameProblems([{ path: 'a.ts', text: 'export class Guest {}' }])).toEqual([
      'a.ts: Guest is not in the glossary; say Caller',
    ]);
  });

  it.each(['/** Its size. */', '// It ran.', '/**\n * Those who wait.\n */', '/** The same for bytes. */'])(
    'reject the comment %j',
    (text) => {
      expect(commentProblems({ path: 'a.ts', text })).toHaveLength(1);
    },
  );

  it('allow a comment that names its subject', () => {
    expect(commentProblems({ path: 'a.ts', text: '/** The size of the file. It may grow. */' })).toEqual([]);
  });
});
