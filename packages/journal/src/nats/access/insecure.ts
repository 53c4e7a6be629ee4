import { type Refusal, refuse } from '@proffer/core';
import { enterWithoutLogin, type NatsAddress } from './connect.js';

/** Addresses that nobody else can listen to. */
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;

/**
 * Why an address must not be used, before anything is sent there: the login and everything else would cross a network
 * unencrypted. `undefined` if it may be, or if that is allowed.
 */
export function refuseUnencrypted({ servers, tls, allowInsecure }: NatsAddress): Refusal | undefined {
  if (allowInsecure === true || tls !== undefined) return undefined;
  const open = servers.find((server) => !server.startsWith('tls://') && !LOOPBACK.test(hostIn(server)));
  if (open === undefined) return undefined;
  const message = `${open} is on another machine, and the connection to it would not be encrypted. Write tls://${hostIn(open)}.`;
  return refuse('insecure_nats', message, { server: open, cause: 'no_tls' });
}

/**
 * Why servers must not be used: they let anyone in. `undefined` if they do not, or if that is allowed. It is tried,
 * since what servers say about it is not reliable.
 */
export async function refuseOpenServers(address: NatsAddress): Promise<Refusal | undefined> {
  if (address.allowInsecure === true) return undefined;
  const server = await enterWithoutLogin(address);
  if (server === undefined) return undefined;
  const message = `The NATS server at ${server} lets anyone in without a login, who could then delete records and stop the gateways. Give it users and permissions, as in deploy/nats.conf, and set journal.nats.user, nkey or credentials.`;
  return refuse('insecure_nats', message, { server, cause: 'no_login' });
}

function hostIn(server: string): string {
  return server.replace(/^\w+:\/\//, '');
}
