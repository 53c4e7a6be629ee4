import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Shell } from './shell.js';

/** A secret from stdin: typed without echo on a terminal, else everything piped in, trimmed. */
export async function readSecret(
  question: string,
  { stdin, stdout }: Pick<Shell, 'stdin' | 'stdout'>,
): Promise<string> {
  if (stdin.isTTY !== true) return (await text(stdin)).trim();
  stdout.write(question);
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: unseen, terminal: true });
  const ends = new AbortController();
  const end = (): void => ends.abort();
  lines.once('SIGINT', end);
  lines.once('close', end);
  try {
    return (await lines.question('', { signal: ends.signal })).trim();
  } catch {
    return '';
  } finally {
    lines.close();
    stdout.write('\n');
  }
}
