import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defined } from '@proffer/core/json';
import MAIN from '../main.program';

export { MAIN };

/** The built command: what `npm start` and an installed `proffer` run. It takes twice as long to start. */
export const BUILT = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

/** How a process ended. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A running process. */
export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** Resolves with all output so far, once it contains the text. */
  until(pattern: RegExp): Promise<string>;
}

export interface SpawnOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The file that is run; the command from its sources, if absent. */
  readonly program?: string;
}

/** No data folder: the gateways of the person who runs the tests do not show, and nothing is noted there. */
export const NO_DATA = { XDG_DATA_HOME: '/dev/null' };

const NO_PROXY = { PROFFER_SHUTDOWN_NOT_READY_FOR: '0' };

/** Starts `proffer` with a clean environment. */
export function start(
  args: readonly string[],
  { cwd = tmpdir(), env = {}, program = MAIN }: SpawnOptions = {},
): Running {
  const { PATH = '', HOME = '', TMPDIR } = process.env;
  const child = spawn(process.execPath, [program, ...args], {
    cwd,
    // No proxy has to notice that a gateway stops.
    env: {
      PATH,
      HOME,
      ...defined({ TMPDIR }),
      ...NO_PROXY,
      ...(env['HOME'] === undefined ? NO_DATA : {}),
      ...env,
    },
  });
  let stdout = '';
  let stderr = '';
  let isOver = false;
  let look: () => void = () => undefined;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    look();
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
    look();
  });
  const ended = once(child, 'close').then(([code]) => {
    isOver = true;
    look();
    return { code: code as number | null, stdout, stderr };
  });
  return {
    child,
    ended,
    until: (pattern) =>
      new Promise((resolve, reject) => {
        look = () => {
          const text = stdout + stderr;
          if (pattern.test(text)) resolve(text);
          else if (isOver) reject(new Error(`It ended without ${pattern}:\n${text}`));
        };
        look();
      }),
  };
}

/** Runs `proffer` until it exits. */
export async function proffer(args: readonly string[], options: SpawnOptions = {}): Promise<Ended> {
  const running = start(args, options);
  running.child.stdin?.end();
  return await running.ended;
}

/** An empty folder, removed by `await using`. */
export async function temporaryFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'proffer-cli-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 5 }) };
}
