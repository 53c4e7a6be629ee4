import { PassThrough, Readable } from 'node:stream';
import { run } from '../program.js';
import { createStyle, type Keyboard } from '../terminal/shell.js';
import { type Ended, NO_DATA } from './cli.js';

/** A user at a terminal: what they type, or do before typing. */
export interface Typist {
  readonly types: string | (() => Promise<string>);
}

/** A command that runs in this process. */
export interface StartedHere {
  readonly ended: Promise<Ended>;
  /** Resolves with all output so far, once it contains the text. */
  until(pattern: RegExp): Promise<string>;
  /** Sends it something on stdin. */
  type(text: string): void;
  /** What Ctrl-C does. */
  interrupt(): void;
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
  const isTTY = typist !== undefined;
  const stdin = Object.assign(Readable.from(isTTY ? typed(typist) : []), { isTTY });
  return await begin(line, env, stdin).ended;
}

/** Starts a command line in this process, with piped input and output. */
export function startHere(line: readonly string[], env: Readonly<Record<string, string>> = {}): StartedHere {
  const stdin = new PassThrough();
  return { ...begin(line, env, stdin), type: (text) => void stdin.write(text) };
}

/** They change the process that they run in: memory settings, signals. */
const OWN_PROCESS = new Set(['guard', 'bridge', 'steward']);

function begin(
  line: readonly string[],
  env: Readonly<Record<string, string>>,
  stdin: Keyboard,
): Omit<StartedHere, 'type'> {
  const [command = ''] = line;
  if (OWN_PROCESS.has(command))
    throw new Error(`${command} needs a process of its own: use proffer() or start().`);
  const { PATH = '', HOME = '' } = process.env;
  let stdout = '';
  let stderr = '';
  let isOver = false;
  const looking = new Set<() => void>();
  const look = (): void => {
    for (const one of looking) one();
  };
  const screen = Object.assign(new PassThrough(), { isTTY: stdin.isTTY === true });
  screen.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    look();
  });
  const interrupted = new AbortController();
  const running = run(line, {
    stdin,
    stdout: screen,
    env: { PATH, HOME, ...(env['HOME'] === undefined ? NO_DATA : {}), ...env },
    style: createStyle(false),
    width: 100,
    name: 'proffer',
    now: Date.now,
    print: (...lines) => {
      stdout += `${lines.join('\n')}\n`;
      look();
    },
    tell: (...lines) => {
      stderr += `${lines.join('\n')}\n`;
      look();
    },
    interruption: () => interrupted.signal,
  });
  const ended = running.then((code) => {
    isOver = true;
    look();
    return { code, stdout, stderr };
  });
  return {
    ended,
    until: (pattern) =>
      new Promise((resolve, reject) => {
        const one = (): void => {
          const text = stdout + stderr;
          if (pattern.test(text)) resolve(text);
          else if (isOver) reject(new Error(`It ended without ${pattern}:\n${text}`));
          else return;
          looking.delete(one);
        };
        looking.add(one);
        one();
      }),
    interrupt: () => interrupted.abort(),
  };
}

/** Read only once a command asks. */
async function* typed({ types }: Typist): AsyncGenerator<string> {
  yield typeof types === 'string' ? types : await types();
}
