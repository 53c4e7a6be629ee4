import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from '@proffer/core/json';
import { openDisk } from '@proffer/steward/disk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AgentId, effectOf, type HookCall } from '../agents/index.js';
import { groundsOf, shellCall } from '../testing/calls.js';
import { decideCall, type Grounds } from './index.js';

/** A home with a project in it, as a repository with links may leave it. */
let home: string;
const at = (path: string): string => join(home, path);
beforeAll(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'proffer-links-')));
  for (const folder of ['app/src/deep', 'app/docs', 'app/.claude', 'other', '.config/proffer', 'dots/claude'])
    mkdirSync(at(folder), { recursive: true });
  writeFileSync(at('.config/proffer/credentials.json'), '{}');
  writeFileSync(at('dots/claude/settings.json'), '{}');
  writeFileSync(at('rules.yaml'), '');
  writeFileSync(at('app/.env'), '');
  writeFileSync(at('app/src/real.ts'), '');
  symlinkSync('../.claude/settings.local.json', at('app/src/notes.md'));
  symlinkSync('notes.md', at('app/src/chained.md'));
  symlinkSync(at('other/deep'), at('app/src/out'));
  symlinkSync('../docs', at('app/src/docs'));
  symlinkSync('deep', at('app/src/inside'));
  symlinkSync('../.env', at('app/src/harmless.txt'));
  symlinkSync('again', at('app/src/again'));
  symlinkSync('../../.config', at('app/src/config'));
  symlinkSync(at('app'), at('project'));
  symlinkSync(at('dots/claude'), at('.claude'));
  linkSync(at('rules.yaml'), at('app/src/hard.yaml'));
  linkSync(at('.config/proffer/credentials.json'), at('app/src/hard.json'));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

const grounds = (rules: string, more: Partial<Grounds> = {}): Grounds =>
  groundsOf(rules, {
    home,
    disk: openDisk(),
    guarded: {
      ...groundsOf('default: ask').guarded,
      folders: [at('.config/proffer')],
      files: [at('rules.yaml'), at('.claude/settings.json')],
    },
    ...more,
  });
const write = (path: string, folder = at('app')): HookCall =>
  shellCall('', {
    tool: 'Write',
    folder,
    arguments: { file_path: path },
    effect: { type: 'files', paths: [path], isReading: false },
  });
const use = (agent: AgentId, tool: string, given: JsonObject): HookCall =>
  shellCall('', {
    agent,
    tool,
    folder: at('app'),
    arguments: given,
    effect: effectOf({ agent, tool, arguments: given }),
  });
const run = (line: string, folder = at('app')): HookCall => shellCall(line, { folder });

describe('a rule that allows a folder', () => {
  const RULES = 'rules: [{ action: allow, match: { path: ./src/** } }]';
  const decide = (call: HookCall) => decideCall(call, grounds(RULES)).action;

  it.each(['src/real.ts', './src/new.ts', 'src/deep/../new.ts', 'src/inside/new.ts', 'src//deep/./x'])(
    'allows what stays in it: %s',
    (path) => {
      expect(decide(write(path))).toBe('allow');
      expect(decide(write(at(`app/${path}`)))).toBe('allow');
      expect(decide(run(`cat ${path}`))).toBe('allow');
    },
  );

  it.each([
    'src/out/x',
    'src/out',
    'src/docs/x.md',
    'src/inside/../../docs/x.md',
    'src/docs/../x.md',
    'src/out/../../app/src/x',
    'src/harmless.txt',
    'src/again',
    'src/again/x',
    'src/~/../../../x',
    '/proc/self/cwd/src/x',
    '/dev/fd/9',
    '~someone/x',
  ])('does not allow what a link may lead out of it: %s', (path) => {
    expect(decide(write(path))).toBe('ask');
    expect(decide(run(`cat ./${path}`))).not.toBe('allow');
  });

  it('wants every name of the place: as given, on the way, and at its end', () => {
    const both = 'rules: [{ action: allow, match: { path: [./src/**, ./docs/**] } }]';
    expect(decideCall(write('src/docs/x.md'), grounds(both)).action).toBe('allow');
    const end = 'rules: [{ action: allow, match: { path: ./docs/** } }]';
    expect(decideCall(write('src/docs/x.md'), grounds(end)).action).toBe('ask');
  });

  it('knows the folder and the home by their other names', () => {
    const linked = at('project');
    expect(decideCall(write('src/new.ts', linked), grounds(RULES)).action).toBe('allow');
    expect(decideCall(write(at('app/src/new.ts'), linked), grounds(RULES)).action).toBe('allow');
    expect(decideCall(write(at('project/src/docs/x'), linked), grounds(RULES)).action).toBe('ask');
  });

  it('is not replaced by a rule about a redirection, which goes by its text', () => {
    const rules = 'rules: [{ action: allow, match: { command: [git status, "> ./src/**"] } }]';
    const to = (path: string) => decideCall(run(`git status > ${path}`), grounds(rules)).action;
    expect(to('./src/new.ts')).toBe('allow');
    expect(to('./src/out')).toBe('ask');
    expect(to('./src/docs/x')).toBe('ask');
    expect(decideCall(run('cd src && git status > /tmp/x'), grounds('default: allow')).action).toBe('allow');
    expect(decideCall(run('cd src && git status > x'), grounds('default: allow')).action).toBe('allow');
    expect(decideCall(run('git status > ./src/x', at('project')), grounds(rules)).action).toBe('allow');
  });

  it('reads a path from the folder that the tool runs in', () => {
    const there = shellCall('cat ../x', {
      folder: at('app'),
      effect: { type: 'shell', line: 'cat ../x', folder: 'src/docs' },
    });
    expect(decideCall(there, grounds('rules: [{ action: allow, match: { path: ./src/** } }]')).action).toBe(
      'ask',
    );
  });

  it('does not allow what Codex CLI may run in a folder that it does not tell', () => {
    const bash = (command: string) => use('codex', 'Bash', { command });
    expect(decideCall(bash('cat src/real.ts'), grounds(RULES)).action).toBe('ask');
    expect(decideCall(bash(`cat ${at('app/src/real.ts')}`), grounds(RULES)).action).toBe('allow');
    const anywhere = 'rules: [{ action: allow, match: { path: "**/real.ts" } }]';
    expect(decideCall(bash('cat src/real.ts'), grounds(anywhere)).action).toBe('allow');
    const deny = '{ default: allow, rules: [{ action: deny, match: { path: "**/.env" } }] }';
    expect(decideCall(bash('cat .env'), grounds(deny)).action).toBe('deny');
    expect(decideCall(bash('cat x'), grounds(deny)).action).toBe('allow');
  });

  it('is about every file of a patch, and of an edit', () => {
    const edit = (...paths: readonly string[]) =>
      use('claude-code', 'MultiEdit', {
        file_path: 'src/a',
        edits: paths.map((path) => ({ file_path: path })),
      });
    expect(decideCall(edit('src/b'), grounds(RULES)).action).toBe('allow');
    expect(decideCall(edit('src/b', 'docs/c'), grounds(RULES)).action).toBe('ask');
    const text = '*** Begin Patch\n*** Add File: src/a\n+x\n *** Delete File: docs/b\n*** End Patch';
    expect(decideCall(use('codex', 'apply_patch', { command: text }), grounds(RULES)).action).toBe('ask');
    const inside = text.replace('docs', 'src');
    expect(decideCall(use('codex', 'apply_patch', { command: inside }), grounds(RULES)).action).toBe('allow');
  });

  it('is about the arguments of other tools, too', () => {
    const rules = `rules: [{ action: allow, match: { tool: save, path: ${at('app/src')}/** } }]`;
    const save = (path: string): HookCall =>
      shellCall('', { tool: 'save', folder: at('app'), arguments: { path }, effect: { type: 'other' } });
    expect(decideCall(save(at('app/src/new.ts')), grounds(rules)).action).toBe('allow');
    expect(decideCall(save(at('app/src/docs/x')), grounds(rules)).action).toBe('ask');
  });
});

describe('a rule that denies a file', () => {
  it('denies it by any name', () => {
    const rules = '{ default: allow, rules: [{ action: deny, match: { path: "**/.env" } }] }';
    for (const call of [write('src/harmless.txt'), run('cat src/harmless.txt'), write('src/docs/../.env')])
      expect(decideCall(call, grounds(rules)).action).toBe('deny');
    expect(decideCall(write('src/real.ts'), grounds(rules)).action).toBe('allow');
  });
});

describe('what is protected', () => {
  const decide = (call: HookCall) => decideCall(call, grounds('default: allow'));

  it.each([
    ['a link to settings that are not there yet', 'src/notes.md'],
    ['a link to such a link', 'src/chained.md'],
    ['a folder behind a link', 'src/config/proffer/credentials.json'],
    ['`..` behind a link', 'src/config/proffer/../proffer/x'],
    ['a hard link to a protected file', 'src/hard.yaml'],
    ['a hard link to a file in a protected folder', 'src/hard.json'],
    ['the real name of protected settings', '../dots/claude/settings.json'],
    ['a URL', 'file:///proc/../%68ome/x/.claude/settings.json'],
    ['a trailing slash', '.claude/settings.json/'],
    ['other capitals', '.CLAUDE/Settings.JSON'],
  ])('is denied by every name: %s', (_, path) => {
    expect(decide(write(path))).toMatchObject({ action: 'deny', version: 'built-in' });
    expect(decide(run(`cat ${path}`))).toMatchObject({ action: 'deny', version: 'built-in' });
  });

  it.each([
    ['spaces at its ends', ' .claude/settings.json\t'],
    ['the encoding that Gemini CLI undoes', 'src/%2e%2e/.cl%61ude/settings.json'],
    ['the mark that Gemini CLI drops', '@.claude/settings.json'],
    ['both', '@/%2eclaude/settings.json'],
    ['a link in the encoding', 'src/note%73.md'],
  ])('is denied in every way that agents read a path: %s', (_, path) => {
    expect(decide(write(path))).toMatchObject({ action: 'deny', version: 'built-in' });
  });

  it('is denied to patches, by the tool and in a shell line', () => {
    const text = [
      '*** Begin Patch',
      '*** Add File: src/a',
      '+x',
      '  *** Update File: .claude/settings.json',
      '@@',
      '+x',
      '*** End Patch',
    ].join('\n');
    expect(decide(use('codex', 'apply_patch', { command: text })).action).toBe('deny');
    expect(decide(run(`apply_patch <<'EOF'\n${text}\nEOF`)).action).toBe('deny');
    expect(decide(run(`cd src && apply_patch <<'EOF'\n${text}\nEOF`)).action).toBe('deny');
    const harmless = text.replace('.claude/settings.json', 'src/b');
    expect(decide(use('codex', 'apply_patch', { command: harmless })).action).toBe('allow');
    expect(decide(run(`apply_patch <<'EOF'\n${harmless}\nEOF`)).action).toBe('allow');
    const unclear = harmless.replace('*** End Patch', '*** Something File: x');
    for (const call of [
      use('codex', 'apply_patch', { command: unclear }),
      run(`apply_patch <<'EOF'\n${unclear}\nEOF`),
      run('apply_patch < some.patch'),
    ])
      expect(decide(call)).toMatchObject({ action: 'ask', isProtected: true });
  });

  it('is left to a person where an agent looks for a file elsewhere', () => {
    const replace = (path: string) => use('gemini-cli', 'replace', { file_path: path });
    expect(decide(replace('settings.local.json')).action).toBe('ask');
    expect(decide(replace('src/real.ts')).action).toBe('allow');
    expect(decide(replace(at('app/src/new.ts'))).action).toBe('allow');
  });

  it('is denied to tools of MCP servers', () => {
    const save = (path: string): HookCall =>
      shellCall('', { tool: 'save', folder: at('app'), arguments: { path }, effect: { type: 'other' } });
    expect(decide(save(at('app/src/notes.md'))).action).toBe('deny');
    expect(decide(save(at('app/.claude/settings.json'))).action).toBe('deny');
    // In which folder that is, only the server knows.
    expect(decide(save('src/notes.md'))).toMatchObject({ action: 'ask', isProtected: true });
    expect(decide(save('src/real.ts')).action).toBe('allow');
    expect(decide(save('The settings are in a folder.')).action).toBe('allow');
  });

  it('is left to a person where a glob behind a link may mean it', () => {
    for (const line of ['cat src/config/*/x', 'cat src/config/prof*', 'rm -r src/config'])
      expect({ line, ...decide(run(line)) }).toMatchObject({ action: 'ask', isProtected: true });
    expect(decide(run('cat src/inside/*')).action).toBe('allow');
  });

  it('is left to a person where a path cannot be followed', () => {
    for (const path of ['src/again', 'src/again/x', '/proc/self/cwd/x', '/dev/fd/9']) {
      expect({ path, ...decide(write(path)) }).toMatchObject({ action: 'ask', isProtected: true });
      expect({ path, ...decide(run(`cat ${path}`)) }).toMatchObject({ action: 'ask', isProtected: true });
    }
    expect(decide(write('src/a\0b'))).toMatchObject({ action: 'ask', isProtected: true });
  });
});
