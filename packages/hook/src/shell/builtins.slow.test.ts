import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { readShellLine } from './read-line.js';

/** How each shell lists what it does itself. Those that are not installed list nothing. */
const LISTS: readonly (readonly [string, readonly string[]])[] = [
  ['bash', ['--norc', '-c', 'compgen -b']],
  ['zsh', ['-f', '-c', 'print -l ${(k)builtins}']],
  ['busybox', ['sh', '-c', 'help']],
];

/** Those that only print, look, or change the folder, and those that run the rest of their words. */
const PLAIN = [':', 'cd', 'echo', 'false', 'pwd', 'true', 'type', 'which', 'builtin', 'command', 'exec'];

it('is not understood if a shell does itself what it names, and that is more than to print or look', () => {
  const builtins = LISTS.flatMap(([shell, args]) => {
    const { stdout } = spawnSync(shell, args, { encoding: 'utf8' });
    return (stdout ?? '')
      .replace(/^Built-in.*$|^-+$/gm, '')
      .split(/\s+/)
      .filter((name) => name !== '');
  });
  expect(builtins.length).toBeGreaterThan(50);
  const isUnderstood = (name: string): boolean =>
    readShellLine(name, { home: '/home/ada', folder: '/' }).unknown.length === 0;
  expect(PLAIN.filter((name) => !isUnderstood(name))).toEqual([]);
  expect(builtins.filter((name) => isUnderstood(name) && !PLAIN.includes(name))).toEqual([]);
});
