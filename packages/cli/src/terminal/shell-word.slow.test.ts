import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import { commandAbout, shellWord } from './shell.js';

/** The words a shell makes of a line. */
const wordsIn = (line: string): readonly string[] =>
  execFileSync('sh', ['-c', `printf '%s\\0' ${line}`], { encoding: 'utf8', cwd: tmpdir() })
    .split('\0')
    .slice(0, -1);

it.each([
  '/plain/path-1.txt',
  '',
  "it's",
  'two words',
  '$(id)',
  '`id`',
  'a;b&c|d>e',
  '"$HOME"',
  '~/x',
  '*',
  'a\\b',
  '#x',
  '!x',
  '=ls',
  'é',
  'a\nb',
])('a shell reads %j as one unchanged word', (text) => {
  expect(wordsIn(shellWord(text))).toEqual([text]);
});

it('adds no quotes if none are needed', () => {
  expect(shellWord('http://127.0.0.1:7420/a%20b')).toBe('http://127.0.0.1:7420/a%20b');
});

it('puts a name before the options, or after them if it could be one', () => {
  const options = ' --guard';
  expect(commandAbout('proffer show', ['$(id)'], { options })).toBe("proffer show '$(id)' --guard");
  expect(commandAbout('proffer show', ['-x'], { options, more: '"…"' })).toBe(
    'proffer show --guard -- -x "…"',
  );
});
