import { BlockList, isIP } from 'node:net';

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
