import { isIPv4 } from 'node:net';
import { networkInterfaces } from 'node:os';
import { CommandFailure, EXIT, usageFailure } from '../command-failure.js';

/** The fixed port where devices find the inbox, so that a paired one finds it again. */
const DEFAULT_PORT = 7443;

/**
 * Where to listen for devices.
 *
 * @param asked - `ADDRESS` or `ADDRESS:PORT`; true for this machine's address in the local network
 */
export function shareAddress(asked: string | true): { readonly host: string; readonly port: number } {
  if (asked === true) return { host: lanAddress(), port: DEFAULT_PORT };
  const [host = '', port = String(DEFAULT_PORT), ...rest] = asked.split(':');
  if (
    !isIPv4(host) ||
    !/^\d{1,5}$/.test(port) ||
    Number(port) > 65_535 ||
    rest.length > 0 ||
    host === '0.0.0.0'
  )
    throw usageFailure(
      `--share takes one IPv4 address of this machine, such as 192.168.1.20 or 192.168.1.20:7443.`,
    );
  return { host, port: Number(port) };
}

function lanAddress(): string {
  const found = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ family, internal, address }) => family === 'IPv4' && !internal && isPrivate(address));
  // Containers have networks of their own on this machine, mostly in 172.16.0.0/12.
  const best = found.find(({ address }) => !address.startsWith('172.')) ?? found[0];
  if (best !== undefined) return best.address;
  throw new CommandFailure({
    exit: EXIT.refused,
    code: 'cannot_listen',
    message:
      'This machine has no address on a local network. Connect it to one, or pass an address: --share ADDRESS.',
    next: ['--share ADDRESS   # one that the phone can reach'],
  });
}

function isPrivate(address: string): boolean {
  return /^(?:10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.)/.test(address);
}
