import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** A running program of `examples/python`. */
export interface PythonAgent {
  readonly child: ChildProcess;
  /** Its output, once it has exited. */
  readonly output: Promise<string>;
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
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
  }
  const output = new Promise<string>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => resolve(text));
  });
  return { child, output };
}
