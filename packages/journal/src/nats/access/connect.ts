import { readFileSync } from 'node:fs';
import {
  type Authenticator,
  connect,
  credsAuthenticator,
  type NatsConnection,
  type NodeConnectionOptions,
  nkeyAuthenticator,
  usernamePasswordAuthenticator,
} from '@nats-io/transport-node';
import { type Refusal, refuse } from '@proffer/core';
import { defined } from '@proffer/core/json';

/** How to authenticate: at most one of them. */
export type NatsLogin =
  | { readonly user: string; readonly password: string }
  /** The path of a file with the seed of an nkey. */
  | { readonly nkey: string }
  /** The path of a file with a JWT and its seed, as `nsc` writes it. */
  | { readonly credentials: string };

export interface NatsAddress {
  /** `nats://HOST:PORT` or `tls://HOST:PORT`, at least one; the rest of the cluster is discovered. */
  readonly servers: readonly string[];
  readonly login?: NatsLogin;
  /**
   * Paths of PEM files. Absent: TLS if an address says so, or the server requires it, verified with the system's
   * authorities.
   */
  readonly tls?: { readonly ca?: string; readonly cert?: string; readonly key?: string };
  /** Whether servers without a login, and networks without TLS, may be used. Default false. */
  readonly allowInsecure?: boolean;
}

/** An option the client supports but its types lack: after how many bytes it flushes without waiting for more. */
type ClientOptions = NodeConnectionOptions & { readonly pendingLimit: number };

/** Large enough for any group commit: with the client's default of 32 KiB, a batch takes several writes. */
const ONE_WRITE = 1_048_576;

/** Connects, and stays connected to whichever server is alive. Throws the client's error. */
export async function connectTo({ servers, login, tls }: NatsAddress, name: string): Promise<NatsConnection> {
  const options: ClientOptions = {
    servers: [...servers],
    name,
    // For as long as it takes: the journal itself informs its users in the meantime.
    maxReconnectAttempts: -1,
    reconnectTimeWait: 250,
    ignoreAuthErrorAbort: true,
    // A server that disappears silently is noticed within seconds.
    pingInterval: 2_000,
    maxPingOut: 2,
    timeout: 5_000,
    // An error with a stack for each question, in case it fails, costs more than the question.
    noAsyncTraces: true,
    pendingLimit: ONE_WRITE,
    ...(login === undefined ? {} : { authenticator: authenticatorFor(login) }),
    // With this, a server that does not offer TLS is refused; the client ignores the scheme of addresses.
    ...(isEncrypted({ servers, ...(tls && { tls }) }) ? { tls: tlsFiles(tls ?? {}) } : {}),
  };
  // With these options the client retries a refused login for ever, even the first time: so that is
  // checked before.
  const once = { ...options, reconnect: false, maxReconnectAttempts: 0, ignoreAuthErrorAbort: false };
  await (await connect(once)).close();
  return await connect(options);
}

/** The server that lets a client in that has no login and no certificate; `undefined` if none does. */
export async function enterWithoutLogin({ servers, tls }: NatsAddress): Promise<string | undefined> {
  try {
    const ca = defined({ caFile: tls?.ca });
    const connection = await connect({
      servers: [...servers],
      name: 'proffer, to see whether anyone is let in',
      reconnect: false,
      maxReconnectAttempts: 0,
      timeout: 5_000,
      ...(isEncrypted({ servers, ...(tls && { tls }) }) ? { tls: ca } : {}),
    });
    const server = connection.getServer();
    await connection.close();
    return server;
  } catch {
    return undefined;
  }
}

/** Whether the client must not accept a connection without TLS. */
function isEncrypted({ servers, tls }: NatsAddress): boolean {
  return tls !== undefined || servers.some((server) => server.startsWith('tls://'));
}

function authenticatorFor(login: NatsLogin): Authenticator {
  if ('user' in login) return usernamePasswordAuthenticator(login.user, login.password);
  if ('nkey' in login) return nkeyAuthenticator(Buffer.from(readFileSync(login.nkey, 'utf8').trim()));
  return credsAuthenticator(readFileSync(login.credentials));
}

function tlsFiles({ ca, cert, key }: NonNullable<NatsAddress['tls']>) {
  return defined({ caFile: ca, certFile: cert, keyFile: key });
}

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
  const message = `The NATS server at ${server} lets anyone in without a login. They could delete records and stop the gateways. Give it users and permissions, as in deploy/nats.conf, and set journal.nats.user, nkey or credentials.`;
  return refuse('insecure_nats', message, { server, cause: 'no_login' });
}

function hostIn(server: string): string {
  return server.replace(/^\w+:\/\//, '');
}
