import { PassThrough } from 'node:stream';
import { LOOK_FIRST } from '@proffer/core/gesture';
import { describe, expect, it } from 'vitest';
import { confirm } from './confirm.js';

interface Typed {
  /** Before the question. */
  readonly before?: string;
  /** While the question is on the screen, but nobody could have read it yet. */
  readonly early?: string;
  /** When there was time to read it. */
  readonly after?: string;
}

/** A terminal on which something is typed at some moment, and what is on its screen in the end. */
async function answered({ before = '', early = '', after = '' }: Typed) {
  const modes: boolean[] = [];
  const stdin = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode: (isRaw: boolean) => void modes.push(isRaw),
  });
  const stdout = Object.assign(new PassThrough(), { isTTY: true });
  let screen = '';
  let isReadable = false;
  stdout.setEncoding('utf8').on('data', (text: string) => {
    screen += text;
    if (isReadable && text.includes('[y/N]')) stdin.write(after);
  });
  stdin.write(before);
  const shell = { stdin, stdout } as unknown as Parameters<typeof confirm>[1];
  const isYes = await confirm('Run it?', shell, new AbortController().signal, async (milliseconds) => {
    expect(milliseconds).toBe(LOOK_FIRST);
    await expect.poll(() => screen).toContain('[y/N]');
    stdin.write(early);
    await expect.poll(() => stdin.readableLength).toBe(0);
    isReadable = true;
  });
  // Readline switches it on and off itself, too.
  expect([modes[0], modes.at(-1)]).toEqual([true, false]);
  return { isYes, screen };
}

describe('a question on the terminal', () => {
  it.each<[Typed, boolean]>([
    [{ before: 'y\n', after: 'n\n' }, false],
    [{ before: 'yes\nyes\n', after: '\n' }, false],
    [{ before: 'y', after: '\n' }, false],
    [{ before: 'n\n', after: 'y\n' }, true],
    [{ early: 'y\n', after: 'n\n' }, false],
    [{ early: 'y', after: '\n' }, false],
    [{ early: 'n\n', after: 'yes\n' }, true],
    [{ before: 'y', early: 'es\n', after: '\n' }, false],
  ])('counts only what is typed after half a second: %j', async (typed, expected) => {
    const { isYes, screen } = await answered(typed);
    expect(isYes).toBe(expected);
    expect(screen).toContain('Anything you typed before this was shown was ignored.');
  });

  it('takes an answer that comes in time, and says nothing more', async () => {
    const { isYes, screen } = await answered({ after: 'yes\n' });
    expect(isYes).toBe(true);
    expect(screen).not.toContain('was ignored');
  });

  it('ends with Ctrl-C, also in the first half second', async () => {
    const { isYes, screen } = await answered({ early: '\u{3}' });
    expect(isYes).toBe(false);
    expect(screen).not.toContain('was ignored');
  });
});
