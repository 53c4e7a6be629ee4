import { PassThrough, Readable } from 'node:stream';
import { run } from '../program.js';
import { createStyle } from '../terminal/style.js';
import type { Ended } from './cli.js';

/** A user at a terminal: what they type, or do before typing. */
export interface Typist {
  readonly types: string | (() => Promise<string>);
}

/**
 * Runs a command line in this process, like `proffer` with an empty stdin and piped output: for tests that do
 * not need a separate process.
 *
 * @param typist - at a terminal instead, where this is typed
 */
export async function runHere(
  line: readonly string[],
  env: Readonly<Record<string, string>> = {},
  typist?: Typist,
): Promise<Ended> {
  const { PATH = '', HOME = '' } = process.env;
  let stdout = '';
  let stderr = '';
  const isTTY = typist !== undefined;
  const screen = Object.assign(new PassThrough(), { isTTY });
  screen.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  const code = await run(line, {
    stdin: Object.assign(Readable.from(isTTY ? typed(typist) : []), { isTTY }),
    stdout: screen,
    env: { PATH, HOME, ...env },
    style: createStyle(false),
    width: 100,
    name: 'proffer',
    now: Date.now,
    print: (...lines) => {
      stdout += `${lines.join('\n')}\n`;
    },
    tell: (...lines) => {
      stderr += `${lines.join('\n')}\n`;
    },
    interruption: () => new AbortController().signal,
  });
  return { code, stdout, stderr };
}

/** Read only once a command asks. */
async function* typed({ types }: Typist): AsyncGenerator<string> {
  yield typeof types === 'string' ? types : await types();
}
