import { BlockList, isIP } from 'node:net';
import type { Field } from './field.js';
import { scalar, textThat } from './scalar.js';

/** A listener's address. `host` has no brackets, even if it is an IPv6 address. */
export interface Address {
  readonly host: string;
  /** 0 means any free port. */
  readonly port: number;
}

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/** `HOST:PORT`, as in a URL. */
export function formatAddress({ host, port }: Address): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

/** Whether the address is unreachable from outside this machine. Of names, only `localhost`. */
export function isLoopback(host: string): boolean {
  const family = isIP(host);
  if (family === 0) return host.toLowerCase() === 'localhost';
  return LOOPBACK.check(host, family === 4 ? 'ipv4' : 'ipv6');
}

const HOST_NAME =
  /^(?=.{1,253}$)[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*$/;
const EXPECTED = 'an address with a port, such as 127.0.0.1:7420 or "[::1]:7420"';

/** `HOST:PORT`, with brackets around an IPv6 address; `off` for no listener, read as `'off'`. */
export function address(): Field<Address | 'off'> {
  return scalar<Address | 'off'>((found) => {
    if (found === 'off') return { value: 'off' };
    const [, bracketed, plain = '', digits = ''] =
      /^(?:\[([^\]]*)\]|([^:[\]]*)):(\d{1,5})$/.exec(found) ?? [];
    const host = bracketed ?? plain;
    const port = digits === '' ? Number.NaN : Number(digits);
    const known = bracketed === undefined ? isIP(host) === 4 || isHostName(host) : isIP(host) === 6;
    if (known && port <= 65_535) return { value: { host, port } };
    return { expected: EXPECTED, suggestion: suggest(found) };
  }, EXPECTED);
}

// All digits and dots is a mistyped IPv4 address, not a name.
const isHostName = (host: string) => HOST_NAME.test(host) && !/^[\d.]+$/.test(host);

function suggest(found: string): string | undefined {
  const port = /^:?(\d{1,5})$/.exec(found)?.[1];
  if (port !== undefined) return `127.0.0.1:${port}`;
  const scheme = /^[a-z]+:\/\/([^/]+)\/?$/.exec(found)?.[1];
  if (scheme !== undefined) return scheme;
  const [, host = '', behind = ''] = /^(.*):(\d{1,5})$/.exec(found) ?? [];
  return isIP(host) === 6 ? `"[${host}]:${behind}"` : undefined;
}

/** An `https:` or `http:` URL. */
export const webAddress = textThat(
  (found) => URL.canParse(found) && /^https?:$/.test(new URL(found).protocol),
  'an http or https URL',
);
