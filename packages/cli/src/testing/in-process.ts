import { PassThrough, Readable } from 'node:stream';
import { run } from '../program.js';
import { createStyle } from '../terminal/style.js';
import type { Ended } from './cli.js';

/**
 * Runs a command line to its end in this process, as `proffer` would with nothing on its standard input and its
 * output piped: for what it says and does, where that it is a process of its own is not the point.
 */
export async function runHere(
  line: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const { PATH = '', HOME = '' } = process.env;
  let stdout = '';
  let stderr = '';
  const code = await run(line, {
    stdin: Readable.from([]),
    stdout: new PassThrough(),
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
