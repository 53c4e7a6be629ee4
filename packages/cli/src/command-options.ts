import { type Command, InvalidArgumentError, Option } from 'commander';
import { parseDuration } from './terminal/visible.js';

/** The default address of a gateway. */
export const DEFAULT_URL = 'http://127.0.0.1:7420';

/** The help text of `--ca`. */
export const CA = 'a certificate authority to trust, in PEM (or PROFFER_CA)';

/** For `--url`, which may be given several times: the addresses of gateways that share a journal. */
export function urlOption(value: string, previous: string | undefined): string {
  return previous === undefined ? value : `${previous},${value}`;
}

/** Adds the options for a gateway's address. */
export function withUrl(
  command: Command,
  what = `the gateway (default ${DEFAULT_URL}, or PROFFER_URL)`,
): Command {
  return command
    .option('--url <url>', `${what}; with commas, several that share a journal`, urlOption)
    .addOption(new Option('--gateway <url>', 'the same as --url').argParser(urlOption).hideHelp());
}

/** Command-line options of every command that talks to a gateway. */
export interface EndpointOptions {
  readonly url?: string;
  /** Another name for `url`. */
  readonly gateway?: string;
  readonly space?: string;
  readonly token?: string;
  readonly as?: string;
  /** A file with certificates to trust. */
  readonly ca?: string;
  /** The gateway shared by the guards on this machine, as its reviewer. */
  readonly guard?: boolean;
}

/** Adds the options of every command that talks to a gateway. */
export function withEndpoint(command: Command): Command {
  return withUrl(command)
    .option('--space <name>', 'the space (default main, or PROFFER_SPACE)')
    .option('--token <token>', 'your token (or PROFFER_TOKEN)')
    .option('--as <name>', 'in dev mode: act as this participant')
    .option('--ca <file>', CA);
}

/**
 * Adds the same options, plus the one for the guards on this machine.
 *
 * @param as - the participant there, for the help
 */
export function withGuards(command: Command, as = 'its reviewer'): Command {
  return withEndpoint(command).addOption(
    new Option('--guard', `the gateway shared by the guards on this machine, as ${as}`).conflicts([
      'url',
      'gateway',
      'space',
      'token',
      'as',
      'ca',
    ]),
  );
}

/** Adds the options for the space that a server joins. */
export function withPlace(command: Command): Command {
  const named = command.option(
    '--name <name>',
    'the name of the server, for people and rules (default: from the command)',
  );
  return withUrl(named, 'an existing gateway (default: the one that the guards on this machine share)')
    .option('--token <token>', 'with --url: the token to connect with (or PROFFER_TOKEN)')
    .option('--space <name>', 'with --url: the space (default main, or PROFFER_SPACE)')
    .option('--ca <file>', `with --url: ${CA}`)
    .option(
      '--data <folder>',
      'where the shared gateway and the pins are kept (default: the data folder of the user)',
    )
    .option('--gateway-port <number>', 'the port of the shared gateway, if this one starts it', portOption);
}

/** Options of the commands that look at a journal's folder. */
export interface DataOptions {
  readonly data?: string;
  /** A configuration that says where the journal is. */
  readonly config?: string;
  /** The folder shared by the guards on this machine. */
  readonly guard?: boolean;
  readonly json?: boolean;
}

/** The help text of `--data`. */
export const DATA =
  'the folder of the journal, or nats://HOST:PORT/STREAM (default: from proffer.yaml, else proffer-dev-data)';

/** The help text of `--data` where it is the folder of the guards. */
export const GUARDS_DATA = 'the folder of the guards and hooks (default: in your data folder)';

/** The help text of `--config`. */
export const CONFIG = 'the configuration (default: proffer.yaml)';

/** Adds the options for the journal's folder. */
export function withFolder(command: Command): Command {
  return command
    .option('--data <folder>', DATA)
    .addOption(new Option('-c, --config <file>', CONFIG).conflicts(['data', 'guard']))
    .addOption(new Option('--guard', 'the journal of the guards on this machine').conflicts('data'));
}

/** Options of the commands that read past decisions. */
export interface HistoryOptions extends EndpointOptions {
  readonly data?: string;
  readonly json?: boolean;
}

/** Adds the options for the history: from a gateway, or from a folder. */
export function withHistory(command: Command): Command {
  return withGuards(command)
    .option('--data <folder>', 'read the journal in this folder instead of asking a gateway')
    .option('--json', 'print JSON');
}

/** The help text of `--exact`. */
export const EXACT = 'the id is complete, not the beginning of one';

/** For options that may be given several times. */
export function collect(value: string, previous: readonly string[] | undefined): readonly string[] {
  return [...(previous ?? []), value];
}

/** A duration such as `30s`, in milliseconds. */
export function durationOption(text: string): number {
  const milliseconds = parseDuration(text);
  if (milliseconds === undefined)
    throw new InvalidArgumentError('Give a duration, such as 30s, 5m, 2h, 1d or 250ms.');
  return milliseconds;
}

/** A `seq`: a whole number from 0. */
export function seqOption(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('Give a seq: a whole number from 0.');
  return Number(text);
}

/** A count: a whole number from 1. */
export function countOption(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('Use a whole number of at least 1.');
  return Number(text);
}

/** A local port; 0 means any free one. */
export function portOption(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port <= 65_535)) throw new InvalidArgumentError('Give a port from 0 to 65535; 0 picks a free one.');
  return port;
}
