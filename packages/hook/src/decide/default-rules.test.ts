import type { JsonObject } from '@proffer/core/json';
import { defaultHookRules } from '@proffer/steward/guard';
import { expect, it } from 'vitest';
import { effectOf } from '../agents/tool-effects.js';
import { groundsOf, shellCall } from '../testing/calls.js';
import { decideCall } from './index.js';

const GROUNDS = groundsOf('default: ask', { rules: defaultHookRules() });
const decide = (line: string) => decideCall(shellCall(line), GROUNDS).action;
const read = (path: string) =>
  decideCall(
    shellCall('', { tool: 'Read', effect: { type: 'files', paths: [path], isReading: true } }),
    GROUNDS,
  ).action;

it('without a rule file, what only reads is allowed, and everything else asks', () => {
  for (const line of [
    'ls -la',
    'cat a.ts | head',
    'git status 2>&1',
    'cd src && rg -n x',
    'git log --oneline -5',
  ])
    expect([line, decide(line)]).toEqual([line, 'allow']);
  for (const line of [
    'rm x',
    'ls > x',
    'git diff --output=x',
    'find . -delete',
    'A=1 ls',
    'for x in 1; do ls; done',
  ])
    expect([line, decide(line)]).toEqual([line, 'ask']);
  expect(read('src/a.ts')).toBe('allow');
});

it('without a rule file, reading secrets asks', () => {
  for (const line of [
    'cat .env',
    'cat < .env',
    'head -5 ~/.ssh/id_rsa',
    'git show HEAD:.env',
    'grep x server.key',
    'cat .e*',
    'cat .env.staging',
    'cat /proc/self/environ',
    'head /proc/1/task/1/environ',
    'cat ~/.claude/.credentials.json',
    'cat ~/.codex/auth.json',
    'cat ~/.cargo/credentials.toml',
  ])
    expect([line, decide(line)]).toEqual([line, 'ask']);
  expect(read('.env')).toBe('ask');
});

it.each<[string, JsonObject, string]>([
  ['Grep', { pattern: 'KEY', glob: '.env', output_mode: 'content' }, 'ask'],
  ['Grep', { pattern: 'KEY', glob: '.e*' }, 'ask'],
  ['Grep', { pattern: 'KEY', glob: '*.ts,.env' }, 'ask'],
  ['Grep', { pattern: 'KEY', path: '/home/ada', glob: '.ssh/config' }, 'ask'],
  ['Grep', { pattern: 'KEY', glob: '*.{ts,tsx}', path: 'src' }, 'allow'],
  ['Grep', { pattern: '.env' }, 'allow'],
  ['search_file_content', { pattern: 'KEY', include: '**/.env' }, 'ask'],
  ['read_many_files', { include: ['src/a.ts', '.env'] }, 'ask'],
  ['read_many_files', { include: ['src/**/*.ts'] }, 'allow'],
  ['Glob', { pattern: '**/.env' }, 'allow'],
])('without a rule file, a search asks where its glob may find secrets: %s %j', (tool, given, expected) => {
  const effect = effectOf({ agent: 'claude-code', tool, arguments: given });
  expect(decideCall(shellCall('', { tool, arguments: given, effect }), GROUNDS).action).toBe(expected);
});

it('git that would take its settings from a folder of the checkout asks, whatever the rules say', () => {
  const files = new Set([
    '/home/ada/app/.git',
    ...['HEAD', 'objects', 'refs'].map((name) => `/home/ada/app/x/${name}`),
  ]);
  const disk = {
    ...GROUNDS.disk,
    identityOf: (path: string) => (files.has(path) ? { id: path, hasOtherNames: false } : undefined),
  };
  const allowing = groundsOf('default: allow', { disk });
  for (const grounds of [{ ...GROUNDS, disk }, allowing]) {
    expect(decideCall(shellCall('cd src && git status'), grounds).action).toBe('allow');
    expect(decideCall(shellCall('cd x && git status'), grounds).action).toBe('ask');
    expect(decideCall(shellCall('git log', { folder: '/home/ada/app/x/refs' }), grounds).action).toBe('ask');
    expect(decideCall(shellCall('cd - && git status'), grounds).action).toBe('ask');
  }
  files.delete('/home/ada/app/x/objects');
  files.add('/home/ada/app/x/commondir');
  expect(decideCall(shellCall('cd x && git status'), allowing).action).toBe('ask');
});
