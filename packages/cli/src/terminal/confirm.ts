import { createInterface } from 'node:readline/promises';
import type { Shell } from './shell.js';

/**
 * Asks a yes-or-no question on the terminal. Only `y` or `yes` is a yes.
 *
 * @param signal - withdraws the question, which counts as no
 */
export async function confirm(
  question: string,
  shell: Pick<Shell, 'stdin' | 'stdout'>,
  signal: AbortSignal,
): Promise<boolean> {
  const answer = await askLine(`${question} [y/N] `, shell, signal);
  return /^y(?:es)?$/i.test(answer ?? '');
}

/**
 * Asks for a line on the terminal. Only what was typed when the question was on the screen counts: what was typed
 * before is dropped. Nothing is answered if the question is withdrawn, or the input ends.
 */
export async function askLine(
  question: string,
  { stdin, stdout }: Pick<Shell, 'stdin' | 'stdout'>,
  signal: AbortSignal,
): Promise<string | undefined> {
  await dropTyped(stdin);
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

/** How many turns of the event loop it takes to read what a terminal has buffered. */
const TURNS = 5;

const drop = (): void => {};

async function dropTyped(stdin: Shell['stdin']): Promise<void> {
  if (stdin.setRawMode === undefined) return;
  // Otherwise a terminal passes on whole lines only, and an unfinished one would become part of the answer.
  stdin.setRawMode(true);
  stdin.on('data', drop);
  stdin.resume();
  for (let turn = 0; turn < TURNS; turn++) await new Promise((resolve) => setImmediate(resolve));
  stdin.pause();
  stdin.off('data', drop);
  stdin.setRawMode(false);
}
