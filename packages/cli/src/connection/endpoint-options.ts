import { type Command, Option } from 'commander';

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
  /** The gateway shared by the guards of this machine, as its reviewer. */
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
 * Adds the same options, plus the one for the guards of this machine.
 *
 * @param as - the participant there, for the help
 */
export function withGuards(command: Command, as = 'its reviewer'): Command {
  return withEndpoint(command).addOption(
    new Option('--guard', `the gateway shared by the guards of this machine, as ${as}`).conflicts([
      'url',
      'gateway',
      'space',
      'token',
      'as',
      'ca',
    ]),
  );
}
