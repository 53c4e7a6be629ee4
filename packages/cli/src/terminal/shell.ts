import { basename, delimiter, dirname, isAbsolute } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import type { JsonValue } from '@proffer/core/json';
import { hideSecrets } from '@proffer/core/secrets';
import { printableJson } from '@proffer/core/text';
import type { DestinationStream } from 'pino';
import { EXIT } from '../command-failure.js';

/** Environment variables by name, as in `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A stream to write to, and a terminal if `isTTY`. */
export type Screen = Writable & {
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

/**
 * Prints a value as JSON on one line, with everything that a terminal would obey or hide escaped. Programs need the real
 * values; someone at a terminal is told that there are secrets among them.
 */
export function printJson(
  value: unknown,
  { print, tell, stdout, style }: Pick<Shell, 'print' | 'tell' | 'stdout' | 'style'>,
): void {
  print(printableJson(value));
  if (stdout.isTTY === true && hideSecrets(value as JsonValue).hasSecrets)
    tell(style.yellow('The JSON has values that look like secrets. Without --json they are hidden.'));
}

/** Colours for people; plain text where they are not wanted. Resets only what it sets, so styles nest. */
export interface Style {
  readonly enabled: boolean;
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly red: (text: string) => string;
  readonly green: (text: string) => string;
  readonly yellow: (text: string) => string;
  readonly cyan: (text: string) => string;
  readonly inverse: (text: string) => string;
}

/** @param enabled - false returns the text unchanged */
export function createStyle(enabled: boolean): Style {
  const wrap = (open: number, close: number) => (text: string) =>
    enabled && text !== '' ? `\u001b[${open}m${text}\u001b[${close}m` : text;
  return {
    enabled,
    bold: wrap(1, 22),
    dim: wrap(2, 22),
    red: wrap(31, 39),
    green: wrap(32, 39),
    yellow: wrap(33, 39),
    cyan: wrap(36, 39),
    inverse: wrap(7, 27),
  };
}

/**
 * Whether to use colours on a stream: NO_COLOR says no, FORCE_COLOR (other than `0`) says yes,
 * otherwise only a terminal that is not dumb gets them.
 */
function wantsColour(
  env: Readonly<Record<string, string | undefined>>,
  stream: { readonly isTTY?: boolean },
): boolean {
  const { NO_COLOR: never = '', FORCE_COLOR: always = '', TERM: kind } = env;
  if (never !== '') return false;
  if (always !== '') return always !== '0';
  return stream.isTTY === true && kind !== 'dumb';
}

/**
 * Where log lines go: stderr of this process. Not pino's own destination, which never stops retrying when its
 * reader is gone, such as a closed terminal, and then keeps the process alive.
 */
export function logLines(): DestinationStream {
  return { write: (line) => void process.stderr.write(line) };
}

/** Characters with no special meaning in POSIX shells or zsh, where a leading = starts a command. */
const PLAIN = /^[\w./:@%+,-][\w./:@%+,=-]*$/;

/** A text as one word for a POSIX shell: unchanged if that is safe, else in single quotes. */
export function shellWord(text: string): string {
  // Between single quotes, only the quote itself is special.
  return PLAIN.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** The parts of a command other than its arguments. */
export interface CommandParts {
  /** In shell syntax, each with a leading space; default: none. */
  readonly options?: string;
  /** Text to append unquoted, such as placeholders; default: none. */
  readonly more?: string;
}

/**
 * A command with arguments from others, safe to paste into a shell.
 *
 * @param names - its arguments, which may contain anything; none is read as an option
 */
export function commandAbout(
  command: string,
  names: readonly string[],
  { options = '', more = '' }: CommandParts = {},
): string {
  const words = `${names.map(shellWord).join(' ')}${more === '' ? '' : ` ${more}`}`;
  const isPlain = names.every((name) => !name.startsWith('-'));
  return isPlain ? `${command} ${words}${options}` : `${command}${options} -- ${words}`;
}

/**
 * How to call this program from a terminal, which may be in another folder.
 *
 * @param file - the full path of the file that Node runs
 */
export function ownName(file: string, env: Environment): string {
  // Under `npm start` and `npx` the command is not on the PATH.
  if (env['npm_execpath'] !== undefined) return 'npx proffer';
  // Run by its file, it is probably not installed. npm's links have no extension.
  if (basename(file) === 'proffer.js') return `node ${shellWord(file)}`;
  const isLink = basename(file) === 'proffer' && isAbsolute(file);
  const { PATH = '' } = env;
  return isLink && !PATH.split(delimiter).includes(dirname(file)) ? shellWord(file) : 'proffer';
}

/**
 * A sentence of the gateway, rewritten for the command line: the gateway knows neither the name of this
 * program nor its options.
 *
 * @param name - the program's name as the user calls it
 */
export function inOwnWords(sentence: string, name: string): string {
  return (
    sentence
      .replace(/ in `to`/, ' with `approve --to NAME`')
      .replaceAll(/`proffer (\w)/g, (_, first: string) => `\`${name} ${first}`)
      // Words of ours. A shell line of somebody else keeps its signs.
      .replaceAll(/`([\w./:=*' -]+)`/g, '"$1"')
  );
}

/**
 * Resolves with the first SIGINT or SIGTERM; a second one ends the process at once. Call it before starting
 * anything, so that no signal is missed.
 */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let asked = false;
    const stop = (): void => {
      if (asked) process.exit(EXIT.interrupted);
      asked = true;
      resolve();
    };
    process.on('SIGINT', stop);
    process.on('SIGTERM', stop);
  });
}
