import { readFileSync } from 'node:fs';
import { listAddresses } from '@proffer/client/http';
import { defined } from '@proffer/core/json';
import { type Address, formatAddress, isLoopback } from '@proffer/gateway/address';
import { usageFailure } from '../command-failure.js';
import { DEFAULT_URL, type EndpointOptions } from '../command-options.js';
import { type Environment, ownName, shellWord } from '../terminal/shell.js';
import { credentialFor } from './credentials.js';
import { parseGatewayUrl } from './gateway-address.js';
import { readGuards } from './guards-folder.js';
import { signingKeysFile } from './signing-keys.js';

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
  /** The file with the keys that decisions are signed with (O-49). Absent: they are not signed. */
  readonly keys?: string;
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
    keys: signingKeysFile(env),
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
  const keys = signingKeysFile(env);
  return { url, token, space: 'main', assumed: false, given: options, data: folder, keys };
}

function nonEmpty(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}

/** The address by which this machine reaches a gateway that listens here. */
export function gatewayUrl({ host, port }: Address, secure: boolean): string {
  const everywhere: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };
  const reached = Object.hasOwn(everywhere, host) ? (everywhere[host] ?? host) : host;
  return `${secure ? 'https' : 'http'}://${formatAddress({ host: reached, port })}`;
}

/** The address of a space's inbox in a gateway's console; the first of several gateways. */
export function consoleAddress(url: string, space: string): string {
  const [first = url] = listAddresses(url);
  return `${first}/console/${encodeURIComponent(space)}/inbox`;
}

/**
 * Options that lead a pasted command in another terminal to the same place; starts with a space unless it is
 * empty. It says that a token is needed, but never contains it.
 */
export function whereOptions({ url, space, given }: Pick<Endpoint, 'url' | 'space' | 'given'>): string {
  if (given.guard === true) return ' --guard';
  const at = url === DEFAULT_URL ? '' : ` --url ${shellWord(url)}`;
  const where = `${at}${inSpace({ space })}`;
  const trusting = given.ca === undefined ? where : `${where} --ca ${shellWord(given.ca)}`;
  return given.token === undefined ? trusting : `${trusting} --token …`;
}

/** The option for the space, if it is not the default; starts with a space unless it is empty. */
export function inSpace({ space }: Pick<Endpoint, 'space'>): string {
  return space === 'main' ? '' : ` --space ${shellWord(space)}`;
}

/**
 * The options that the next command in the same terminal needs again; never the token.
 *
 * @param endpoint - `space`: where the command takes one
 */
export function sameOptions({ given, space: found }: Pick<Endpoint, 'given'> & Partial<Endpoint>): string {
  const { url, space = found === 'main' ? undefined : found, token, as, ca, guard } = given;
  return [
    ...(guard === true ? [' --guard'] : []),
    ...(url === undefined ? [] : [` --url ${shellWord(url)}`]),
    ...(space === undefined ? [] : [` --space ${shellWord(space)}`]),
    ...(token === undefined ? [] : [' --token …']),
    ...(as === undefined ? [] : [` --as ${shellWord(as)}`]),
    ...(ca === undefined ? [] : [` --ca ${shellWord(ca)}`]),
  ].join('');
}

/**
 * The certificates in the file named by `--ca` or PROFFER_CA, in PEM: CAs to trust in addition to Node's own.
 * `undefined` if neither is set.
 *
 * @throws CommandFailure for a file that cannot be read, or has no certificate in it
 */
export function trustedFile(option: string | undefined, env: Environment): string | undefined {
  const file = option ?? env['PROFFER_CA'];
  if (file === undefined || file === '') return undefined;
  const name = option === undefined ? 'PROFFER_CA' : '--ca';
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    throw usageFailure(`${name}: ${file} cannot be read (${code}).`);
  }
  if (!text.includes('-----BEGIN CERTIFICATE-----'))
    throw usageFailure(`${name}: ${file} has no certificate in PEM format.`, [
      'It begins with -----BEGIN CERTIFICATE-----.',
    ]);
  return text;
}

/** Explains a gateway's refusal of the name that was tried in place of a token. */
export function noToken({ token }: Pick<Endpoint, 'token'>): string {
  return `No token was given. The name "${token}" was tried instead, which works only in dev mode.`;
}

/** How to give a token. */
export function nextWithoutToken({ url }: Pick<Endpoint, 'url'>, name: string): readonly string[] {
  return ['export PROFFER_TOKEN=…   # or --token …', `${name} login --url ${shellWord(url)}   # stores one`];
}
