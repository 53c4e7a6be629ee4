import type { Readable, Writable } from 'node:stream';
import { ownName } from './own-name.js';
import { createStyle, type Style, wantsColour } from './style.js';

/** Environment variables by name, as in `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A stream to write to, and a terminal if `isTTY`. */
type Screen = Writable & {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
};

/** A stream to read from, and a terminal if `isTTY`. */
export type Keyboard = Readable & {
  readonly isTTY?: boolean;
  setRawMode?(raw: boolean): unknown;
};

/** Where a command runs: its input, output and environment. */
export interface Shell {
  readonly stdin: Keyboard;
  readonly stdout: Screen;
  readonly env: Environment;
  readonly style: Style;
  /** Columns to write in; 100 if the output is not a terminal. */
  readonly width: number;
  /** The program's name as the user calls it, for suggested commands. */
  readonly name: string;
  readonly now: () => number;
  /** Writes lines to stdout. */
  readonly print: (...lines: readonly string[]) => void;
  /** Writes lines to stderr: progress, warnings. */
  readonly tell: (...lines: readonly string[]) => void;
  /** Aborted by Ctrl-C or a request to stop; the next Ctrl-C ends the process at once. */
  readonly interruption: () => AbortSignal;
}

/** The shell of this process. */
export function processShell(): Shell {
  const { stdin, stdout, stderr, env, argv } = process;
  return {
    stdin,
    stdout,
    env,
    style: createStyle(wantsColour(env, stdout)),
    width: stdout.isTTY ? Math.max(40, stdout.columns) : 100,
    name: ownName(argv[1] ?? '', env),
    now: Date.now,
    print: (...lines) => void stdout.write(`${lines.join('\n')}\n`),
    tell: (...lines) => void stderr.write(`${lines.join('\n')}\n`),
    interruption: () => {
      const controller = new AbortController();
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => controller.abort());
      return controller.signal;
    },
  };
}
