import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { createStyle, printJson } from './shell.js';

it.each([
  [true, { password: 'hunter2' }, 1],
  [true, { path: '/a' }, 0],
  [false, { password: 'hunter2' }, 0],
])('prints the real values, and says at a terminal (%s) that %j has secrets', (isTTY, value, said) => {
  const [printed, told]: [string[], string[]] = [[], []];
  printJson(value, {
    print: (...lines) => void printed.push(...lines),
    tell: (...lines) => void told.push(...lines),
    stdout: Object.assign(new PassThrough(), { isTTY }),
    style: createStyle(false),
  });
  expect(printed).toEqual([JSON.stringify(value)]);
  expect(told).toHaveLength(said);
});
