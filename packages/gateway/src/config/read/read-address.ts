import { isIP } from 'node:net';
import type { Address } from './address.js';
import type { Field } from './field.js';
import { scalar } from './scalar.js';

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
