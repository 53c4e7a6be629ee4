import { BlockList, isIP } from 'node:net';

/** Where a listener listens. `host` has no brackets, also when it is an IPv6 address. */
export interface Address {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
}

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/** `HOST:PORT`, as it is written in a URL. */
export function formatAddress({ host, port }: Address): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

/** True if the address cannot be reached from outside this machine. Of names, only `localhost`. */
export function isLoopback(host: string): boolean {
  const family = isIP(host);
  if (family === 0) return host.toLowerCase() === 'localhost';
  return LOOPBACK.check(host, family === 4 ? 'ipv4' : 'ipv6');
}
