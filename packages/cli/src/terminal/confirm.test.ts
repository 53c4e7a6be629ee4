import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { confirm } from './confirm.js';

/** A terminal on which something was typed before the question, and something when it is there. */
async function answered({ before, after }: { readonly before: string; readonly after: string }) {
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => stdin });
  const stdout = Object.assign(new PassThrough(), { isTTY: true });
  stdin.write(before);
  stdout.setEncoding('utf8').on('data', (text: string) => {
    if (text.includes('[y/N]')) stdin.write(after);
  });
  const shell = { stdin, stdout } as unknown as Parameters<typeof confirm>[1];
  return await confirm('Run it?', shell, new AbortController().signal);
}

describe('a question on the terminal', () => {
  it.each([
    ['y\n', 'n\n', false],
    ['yes\nyes\n', '\n', false],
    ['y', '\n', false],
    ['n\n', 'y\n', true],
    ['', 'yes\n', true],
  ])('after %j was typed too early, counts %j only', async (before, after, isYes) => {
    expect(await answered({ before, after })).toBe(isYes);
  });
});
