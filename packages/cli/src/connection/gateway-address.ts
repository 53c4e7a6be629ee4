import { listAddresses } from '@proffer/client/http';
import { defined } from '@proffer/core/json';
import { type CommandFailure, usageFailure } from '../command-failure.js';
import { DEFAULT_URL } from '../command-options.js';

/** The address of a gateway as the user wrote it, or of several that share a journal. */
export interface GatewayAddress {
  /** `http:` or `https:`, without a trailing slash; several are separated by commas. */
  readonly url: string;
  /** With the port, if it is not the usual one. */
  readonly hosts: readonly string[];
  readonly hostnames: readonly string[];
  readonly space?: string;
}

/**
 * Parses the address of a gateway, or several separated by commas. A WebSocket address, as a gateway prints
 * it at startup, stands for the gateway and its space.
 *
 * @throws CommandFailure for anything else, and for an address with a user name or a password; neither is
 * repeated
 */
export function parseGatewayUrl(text: string): GatewayAddress {
  const written = listAddresses(text);
  const each = (written.length === 0 ? [''] : written).map((part, index) =>
    parseOne(part, { number: index + 1, of: written.length }),
  );
  const spaces = new Set(each.flatMap(({ space }) => space ?? []));
  if (spaces.size > 1)
    throw usageFailure('The addresses of the gateways name different spaces.', [
      '--space NAME   # and none in --url',
    ]);
  const [space] = spaces;
  return {
    url: each.map(({ url }) => url).join(','),
    hosts: each.map(({ host }) => host),
    hostnames: each.map(({ hostname }) => hostname),
    ...defined({ space }),
  };
}

const HTTP_OF: ReadonlyMap<string, string> = new Map([
  ['http:', 'http:'],
  ['https:', 'https:'],
  ['ws:', 'http:'],
  ['wss:', 'https:'],
]);

interface OneAddress {
  readonly url: string;
  readonly host: string;
  readonly hostname: string;
  readonly space?: string;
}

function parseOne(text: string, position: Position): OneAddress {
  const written = URL.canParse(text) ? new URL(text) : undefined;
  const { protocol = '', host = '', hostname = '', pathname = '', searchParams } = written ?? {};
  const scheme = HTTP_OF.get(protocol);
  if (holdsCredentials(text, written)) {
    throw usageFailure('The address of the gateway must not contain a user name or password; use a token.', [
      'export PROFFER_TOKEN=…   # or --token …',
    ]);
  }
  if (scheme !== undefined) {
    const isSocket = protocol.startsWith('ws');
    const path = isSocket ? pathname.replace(/\/ws\/?$/, '') : pathname;
    const space = isSocket ? (searchParams?.get('space') ?? '') : '';
    const url = `${scheme}//${host}${path}`.replace(/\/+$/, '');
    return {
      url,
      host,
      hostname: hostname.replace(/^\[|\]$/g, ''),
      ...(space === '' ? {} : { space }),
    };
  }
  throw notAnAddress(text, position);
}

/** Text that is not an address counts as having credentials if it contains the sign that precedes a host. */
function holdsCredentials(text: string, url: URL | undefined): boolean {
  if (url === undefined || !HTTP_OF.has(url.protocol)) return text.includes('@');
  return url.username !== '' || url.password !== '';
}

/** The position of the address, from 1, and the number of addresses. */
interface Position {
  readonly number: number;
  readonly of: number;
}

/** What is wrong with an address. It is named by its position and not repeated, since it may contain a secret. */
function notAnAddress(text: string, { number, of }: Position): CommandFailure {
  const which = of > 1 ? `Part ${number} of ${of}` : 'This';
  const { why, instead } = faultIn(text);
  return usageFailure(`${which} is not the address of a gateway: ${why}.`, [
    of > 1
      ? `${instead ?? 'http://HOST:PORT'}   # instead of the one given`
      : `--url ${instead ?? DEFAULT_URL}`,
  ]);
}

function faultIn(text: string): { readonly why: string; readonly instead?: string | undefined } {
  if (text === '') return { why: 'it is empty' };
  if (/[;|\s]+[a-z]+:\/\//i.test(text))
    return {
      why: 'several addresses need commas between them',
      instead: 'http://HOST:PORT,http://HOST:PORT',
    };
  // Short enough not to be a secret.
  const [start, scheme = ''] = /^([a-z]{1,8}):\/\//i.exec(text) ?? [];
  if (start === undefined)
    return { why: 'it must begin with http:// or https://', instead: suggestedOrigin(text) };
  if (/^(?:https?|wss?)$/i.test(scheme))
    return { why: `after ${start} there must be a host, and a port up to 65535 if there is one` };
  return {
    why: `it begins with ${start} instead of http:// or https://`,
    instead: suggestedOrigin(text.slice(start.length)),
  };
}

/** A host with its port as people write it; a token given as an address does not look like this. */
const HOST = /^(?:(localhost|\d+(?:\.\d+){3})|(?:[a-z\d-]{1,30}\.)+[a-z]{2,12})(?::\d{1,5})?$/;

/**
 * The host in a malformed address, with the missing scheme; `undefined` if there is none. The rest is never repeated,
 * since even a path may contain a secret.
 */
export function suggestedOrigin(text: string): string | undefined {
  const [written = ''] = text.split(/[/?#]/, 1);
  const found = HOST.exec(written);
  if (found === null) return undefined;
  return `${found[1] === undefined ? 'https' : 'http'}://${written}`;
}
