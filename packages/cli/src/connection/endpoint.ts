import { isLoopback } from '@proffer/gateway/address';
import { usageFailure } from '../command-failure.js';
import type { Environment } from '../terminal/shell.js';
import { readGuards } from './guards-folder.js';

/** Where a gateway is when nobody says otherwise. */
export const DEFAULT_URL = 'http://127.0.0.1:7420';

/** Options of every command that talks to a gateway, as they stand on the command line. */
export interface EndpointOptions {
  readonly url?: string;
  readonly space?: string;
  readonly token?: string;
  readonly as?: string;
  /** The gateway that the guards of this machine share, as whoever decides there. */
  readonly guard?: boolean;
}

/** A gateway, a space, and who asks. */
export interface Endpoint {
  /** Without a slash at the end. */
  readonly url: string;
  readonly space: string;
  readonly token: string;
  /** The name was nobody's choice: in dev mode the token is the name, so one of them is tried. */
  readonly assumed: boolean;
  /** The options that led here, as they stand on the command line. */
  readonly given: EndpointOptions;
  /** The folder with its journal, where it is known, to be read when no gateway answers. */
  readonly data?: string;
}

/**
 * Works out whom to talk to, from options, then environment variables, then defaults.
 *
 * @param role - the participant of dev mode that does this by habit; only on this machine
 */
export function resolveEndpoint(options: EndpointOptions, env: Environment, role: string): Endpoint {
  if (options.guard === true) return guardsEndpoint(options, env);
  const written = options.url ?? nonEmpty(env['PROFFER_URL']) ?? DEFAULT_URL;
  const url = parseUrl(written);
  const space = options.space ?? nonEmpty(env['PROFFER_SPACE']) ?? 'main';
  if (options.token !== undefined && options.as !== undefined) {
    throw usageFailure('--token and --as both say who you are; keep one of them.');
  }
  const given = options.token ?? options.as ?? nonEmpty(env['PROFFER_TOKEN']);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (given === undefined && !isLoopback(host)) {
    throw usageFailure(`${url.host} is not on this machine, so it needs a token.`, [
      'export PROFFER_TOKEN=…   # or --token …',
    ]);
  }
  if (given !== undefined && !/^[\u0021-\u007e]+$/.test(given)) {
    throw usageFailure('The token has characters that no token has.');
  }
  const address = `${url.origin}${url.pathname}`.replace(/\/+$/, '');
  return {
    url: address,
    space,
    token: given ?? role,
    assumed: given === undefined,
    given: options,
  };
}

function guardsEndpoint(options: EndpointOptions, env: Environment): Endpoint {
  const { folder, url, token } = readGuards(env);
  return { url, token, space: 'main', assumed: false, given: options, data: folder };
}

function parseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    const example = URL.canParse(`http://${text}`) ? `http://${text}` : DEFAULT_URL;
    throw usageFailure(`${JSON.stringify(text)} is not the address of a gateway.`, [`--url ${example}`]);
  }
  return url;
}

function nonEmpty(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}
