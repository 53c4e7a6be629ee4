import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type MachineFolder, openMachineFolder } from './machine-folder.js';

let path: string;
let folder: MachineFolder;

beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'proffer-machine-'));
  folder = openMachineFolder(path);
});

afterEach(() => rmSync(path, { recursive: true }));

it('has the pins of two servers of one name in two files', () => {
  const [one, other] = ['uvx mcp-server-git', 'npx @example/git'].map((program) =>
    folder.pinFile('git', { program }),
  );
  expect(one).not.toBe(other);
  expect(folder.pinFile('git', { program: 'uvx mcp-server-git' })).toBe(one);
  expect(folder.pinFile('notes', { program: 'uvx mcp-server-git' })).not.toBe(one);
});

it('continues with the pins of an earlier version, for every server of that name', () => {
  mkdirSync(join(path, 'pins'), { recursive: true });
  writeFileSync(join(path, 'pins', 'git.json'), 'pinned');
  const [one = '', other = ''] = ['a', 'b'].map((program) => folder.pinFile('git', { program }));
  expect([one, other].map((file) => readFileSync(file, 'utf8'))).toEqual(['pinned', 'pinned']);
  writeFileSync(one, 'changed');
  expect(readFileSync(folder.pinFile('git', { program: 'a' }), 'utf8')).toBe('changed');
  expect(readFileSync(join(path, 'pins', 'git.json'), 'utf8')).toBe('pinned');
});
