import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { removeStaleOutputs } from './stale-outputs.mjs';

it('removes what was compiled from sources that are gone, and nothing that was bundled', () => {
  const root = mkdtempSync(join(tmpdir(), 'proffer-stale-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const write = (path: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), '');
  };
  const kept = [
    'packages/core/src/room/new.ts',
    'packages/core/dist/.tsbuildinfo',
    'packages/core/dist/room/new.js',
    'packages/core/dist/room/new.d.ts.map',
    'packages/core/dist/page.js',
    'packages/core/src/page.tsx',
    'packages/core/dist/app/.built',
    'packages/core/dist/app/bundle-1a2b.js',
    'packages/cli/dist/.built',
    'packages/cli/dist/main.js',
    'examples/dist/.tsbuildinfo',
  ];
  const stale = [
    'packages/core/dist/room/old.js',
    'packages/core/dist/room/old.js.map',
    'packages/core/dist/room/old.d.ts',
    'packages/core/dist/gone/deep.d.ts.map',
    'examples/dist/story.js',
  ];
  for (const path of [...kept, ...stale]) write(path);
  expect(removeStaleOutputs(root).sort()).toEqual(stale.map((path) => join(root, path)).sort());
  expect(kept.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  expect(stale.filter((path) => existsSync(join(root, path)))).toEqual([]);
  expect(removeStaleOutputs(root)).toEqual([]);
});
