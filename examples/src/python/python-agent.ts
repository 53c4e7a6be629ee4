import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** A running program of `examples/python`. */
export interface PythonAgent {
  readonly child: ChildProcess;
  /** Its output, once it has exited, without the sentences about where it waits. */
  readonly output: Promise<string>;
  /** Resolves with everything it has written so far, once that matches. */
  readonly until: (pattern: RegExp) => Promise<string>;
}

const folder = fileURLToPath(new URL('../../python/', import.meta.url));

/** Starts a program of `examples/python` with the gateway at `url`. */
export function startPython(url: string, program: string, args: readonly string[]): PythonAgent {
  const { PYTHON_PROGRAM = 'python3', PYTHON_PACKAGES = '' } = process.env;
  const child = spawn(PYTHON_PROGRAM, [program, ...args], {
    cwd: folder,
    env: { ...process.env, PROFFER_URL: url, PYTHONPATH: PYTHON_PACKAGES, PYTHONDONTWRITEBYTECODE: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  let look: (() => void) | undefined;
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      look?.();
    });
  }
  const output = new Promise<string>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => resolve(text.replace(/^Waiting for a decision .*\n/gm, '')));
  });
  const until = (pattern: RegExp): Promise<string> =>
    new Promise((resolve) => {
      look = () => {
        if (pattern.test(text)) resolve(text);
      };
      look?.();
    });
  return { child, output, until };
}
