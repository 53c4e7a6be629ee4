import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPinFile } from '@proffer/mcp';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type MachineFolder, openMachineFolder } from './machine-folder.js';

let path: string;
let folder: MachineFolder;

beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'proffer-machine-'));
  folder = openMachineFolder(path);
});

afterEach(() => rmSync(path, { recursive: true }));

/** The pins of a server, as its guard opens them. */
function pinsOf(server: string, program: string) {
  const { file, known } = folder.pinFile(server, { program });
  return createPinFile(file, known);
}

const pin = (tool: string, description: string) =>
  new Map([[tool, { definition: { name: tool, description } }]]);

it('has the pins of two servers of one name in two files', () => {
  const [one, other] = ['uvx mcp-server-git', 'npx @example/git'].map(
    (program) => folder.pinFile('git', { program }).file,
  );
  expect(one).not.toBe(other);
  expect(folder.pinFile('git', { program: 'uvx mcp-server-git' }).file).toBe(one);
  expect(folder.pinFile('notes', { program: 'uvx mcp-server-git' }).file).not.toBe(one);
});

it('starts a new program under a known name with what is trusted under that name', () => {
  const known = pinsOf('git', 'npx @example/git');
  known.load();
  known.save(pin('status', 'Shows the status.'));
  known.saveQuestion('status', { id: 'trust-1', by: 'git', is: 'sha256:1' });
  // Its own description of the tool is not the trusted one, so it is asked about.
  expect(pinsOf('git', 'npx @evil/git').load()).toEqual(pin('status', 'Shows the status.'));
  expect(pinsOf('github', 'npx @evil/git').load()).toEqual(new Map());
});

it('keeps the pins of both apart from then on', () => {
  const one = pinsOf('git', 'a');
  one.save(pin('status', 'of a'));
  const other = pinsOf('git', 'b');
  other.load();
  one.save(pin('status', 'of a, changed'));
  expect(pinsOf('git', 'b').load()).toEqual(pin('status', 'of a'));
  other.save(pin('status', 'of b'));
  expect(pinsOf('git', 'b').load()).toEqual(pin('status', 'of b'));
  expect(pinsOf('git', 'a').load()).toEqual(pin('status', 'of a, changed'));
});

it('continues with the pins of an earlier version, for every server of that name', () => {
  const tools = { status: { name: 'status', description: 'pinned' } };
  writeFileSync(join(path, 'pins', 'git.json'), JSON.stringify({ format: 1, tools }));
  for (const program of ['a', 'b']) expect(pinsOf('git', program).load()).toEqual(pin('status', 'pinned'));
});

it('trusts nothing new if what was trusted cannot be read', () => {
  writeFileSync(join(path, 'pins', 'git.json'), 'torn');
  expect(() => pinsOf('git', 'a').load()).toThrow('git.json');
});
