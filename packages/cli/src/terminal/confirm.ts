import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { LOOK_FIRST } from '@proffer/core/gesture';
import type { Shell } from './shell.js';

/** What somebody who typed too early is told. */
const TOO_EARLY = 'Anything you typed before this was shown was ignored. Read it, then answer.';

/** Waits for that many milliseconds. */
type Wait = (milliseconds: number) => Promise<unknown>;

/**
 * Asks a yes-or-no question on the terminal. Only `y` or `yes` is a yes.
 *
 * @param signal - withdraws the question, which counts as no
 */
export async function confirm(
  question: string,
  shell: Pick<Shell, 'stdin' | 'stdout'>,
  signal: AbortSignal,
  wait: Wait = pause,
): Promise<boolean> {
  const answer = await askLine(`${question} [y/N] `, shell, signal, wait);
  return /^y(?:es)?$/i.test(answer ?? '');
}

/**
 * Asks for a line on the terminal. Only what is typed after the question has been on the screen for half a second
 * counts: what was typed before is dropped, and that is said. Nothing is answered if the question is withdrawn, or the
 * input ends.
 *
 * @param wait - default: by the system's clock
 */
export async function askLine(
  question: string,
  { stdin, stdout }: Pick<Shell, 'stdin' | 'stdout'>,
  signal: AbortSignal,
  wait: Wait = pause,
): Promise<string | undefined> {
  if (stdin.setRawMode !== undefined) {
    stdout.write(question);
    const typed = await dropTyped(stdin, () => wait(LOOK_FIRST));
    if (typed.includes(CTRL_C)) {
      stdout.write('\n');
      return undefined;
    }
    // Otherwise readline writes the question over itself.
    if (typed !== '') stdout.write(`\n${TOO_EARLY}\n`);
  }
  const lines = createInterface({ input: stdin, output: stdout });
  // Readline captures Ctrl-C while it reads.
  const asked = new AbortController();
  const stop = (): void => asked.abort();
  lines.once('SIGINT', stop);
  lines.once('close', stop);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    return (await lines.question(question, { signal: asked.signal })).trim();
  } catch {
    return undefined;
  } finally {
    signal.removeEventListener('abort', stop);
    lines.close();
  }
}

/** A terminal in raw mode passes it on like any other character. */
const CTRL_C = '\u{3}';

/** How many turns of the event loop it takes to read what a terminal has buffered. */
const TURNS = 5;

/** Reads what is typed until a time is over, or Ctrl-C is pressed. */
async function dropTyped(stdin: Shell['stdin'], time: () => Promise<unknown>): Promise<string> {
  let typed = '';
  const interruption = new AbortController();
  const interrupted = once(interruption.signal, 'abort');
  const drop = (text: unknown): void => {
    typed += String(text);
    if (typed.includes(CTRL_C)) interruption.abort();
  };
  // Otherwise a terminal passes on whole lines only, and an unfinished one would become part of the answer.
  stdin.setRawMode?.(true);
  stdin.on('data', drop);
  stdin.resume();
  await Promise.race([time(), interrupted]);
  for (let turn = 0; turn < TURNS; turn++) await new Promise((resolve) => setImmediate(resolve));
  stdin.pause();
  stdin.off('data', drop);
  stdin.setRawMode?.(false);
  return typed;
}
