import { defined } from '@proffer/core/json';
import { isLoopback } from '@proffer/gateway/address';
import { usageFailure } from '../command-failure.js';
import { type Environment, ownName, shellWord } from '../terminal/shell.js';
import { credentialFor } from './credentials.js';
import { DEFAULT_URL, type EndpointOptions } from './endpoint-options.js';
import { parseGatewayUrl } from './gateway-address.js';
import { readGuards } from './guards-folder.js';
import { trustedFile } from './trusted-file.js';

/** A gateway, a space, and the user. */
export interface Endpoint {
  /**
   * Without a trailing slash. Several that share a journal are separated by commas, as all clients accept
   * them.
   */
  readonly url: string;
  readonly space: string;
  readonly token: string;
  /** Certificates to trust in addition to those that Node trusts, in PEM. */
  readonly ca?: string;
  /** The name is a default: in dev mode the token is the name. */
  readonly assumed: boolean;
  /** The options as given on the command line. */
  readonly given: EndpointOptions;
  /** The folder with its journal, if known, to read when no gateway answers. */
  readonly data?: string;
}

/** The options with the gateway's address under its canonical name. */
export function withOneUrl<Options extends Pick<EndpointOptions, 'url' | 'gateway'>>(
  options: Options,
): Omit<Options, 'gateway'> {
  const { gateway, ...rest } = options;
  if (gateway === undefined) return rest;
  if (options.url !== undefined)
    throw usageFailure('--url and --gateway are the same; use only one of them.');
  return { ...rest, url: gateway };
}

/**
 * Resolves the gateway, space and user from options, then environment variables, then defaults.
 *
 * @param role - the default participant in dev mode and among the guards; only on this machine
 */
export function resolveEndpoint(asked: EndpointOptions, env: Environment, role: string): Endpoint {
  const options = withOneUrl(asked);
  if (options.guard === true) return guardsEndpoint(options, env, role);
  const written = options.url ?? nonEmpty(env['PROFFER_URL']) ?? DEFAULT_URL;
  const { url, hosts, hostnames, space: named } = parseGatewayUrl(written);
  const isSaid =
    options.token !== undefined || options.as !== undefined || nonEmpty(env['PROFFER_TOKEN']) !== undefined;
  const stored = isSaid ? undefined : credentialFor(url, env);
  const space = options.space ?? named ?? nonEmpty(env['PROFFER_SPACE']) ?? stored?.space ?? 'main';
  if (options.token !== undefined && options.as !== undefined) {
    throw usageFailure('--token and --as both say who you are; use only one of them.');
  }
  const given = options.token ?? options.as ?? nonEmpty(env['PROFFER_TOKEN']) ?? stored?.token;
  const elsewhere = hosts.find((_, index) => !isLoopback(hostnames[index] ?? ''));
  if (given === undefined && elsewhere !== undefined) {
    throw usageFailure(`${elsewhere} is not on this machine, so it needs a token.`, [
      `${ownName(process.argv[1] ?? '', env)} login --url ${shellWord(url)}   # stores one`,
      'export PROFFER_TOKEN=…   # or --token …',
    ]);
  }
  if (given !== undefined && !isToken(given)) {
    throw usageFailure('The token contains invalid characters.');
  }
  const ca = trustedFile(options.ca, env) ?? trustedFile(stored?.ca, env);
  return {
    url,
    space,
    ...defined({ ca }),
    token: given ?? role,
    assumed: given === undefined,
    given: {
      ...options,
      ...(options.url === undefined ? {} : { url }),
      ...(named === undefined ? {} : { space }),
    },
  };
}

/** True for text that can be a token: visible ASCII. */
export function isToken(text: string): boolean {
  return /^[\u0021-\u007e]+$/.test(text);
}

function guardsEndpoint(options: EndpointOptions, env: Environment, role: string): Endpoint {
  const { folder, url, token } = readGuards(env, role);
  return { url, token, space: 'main', assumed: false, given: options, data: folder };
}

function nonEmpty(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}
