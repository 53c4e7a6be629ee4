import { createInterface } from 'node:readline/promises';
import type { Shell } from './shell.js';

/**
 * Asks a yes-or-no question on the terminal. Only `y` or `yes` is a yes.
 *
 * @param signal - withdraws the question, which counts as no
 */
export async function confirm(
  question: string,
  { stdin, stdout }: Pick<Shell, 'stdin' | 'stdout'>,
  signal: AbortSignal,
): Promise<boolean> {
  const lines = createInterface({ input: stdin, output: stdout });
  // Readline captures Ctrl-C while it reads.
  const asked = new AbortController();
  const stop = (): void => asked.abort();
  lines.once('SIGINT', stop);
  lines.once('close', stop);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    const answer = await lines.question(`${question} [y/N] `, { signal: asked.signal });
    return /^y(?:es)?$/i.test(answer.trim());
  } catch {
    return false;
  } finally {
    signal.removeEventListener('abort', stop);
    lines.close();
  }
}
