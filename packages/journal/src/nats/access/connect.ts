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

/** How to get in: at most one of them. */
export type NatsLogin =
  | { readonly user: string; readonly password: string }
  /** The path of a file with the seed of an nkey. */
  | { readonly nkey: string }
  /** The path of a file with a JWT and its seed, as `nsc` writes it. */
  | { readonly credentials: string };

export interface NatsAddress {
  /** `nats://HOST:PORT` or `tls://HOST:PORT`, at least one; the others of the cluster are found by themselves. */
  readonly servers: readonly string[];
  readonly login?: NatsLogin;
  /** Paths of PEM files. Absent: TLS where the server demands it, checked against the system's authorities. */
  readonly tls?: { readonly ca?: string; readonly cert?: string; readonly key?: string };
}

/** Connects, and stays connected to whichever server is alive. Throws what the client says. */
export async function connectTo({ servers, login, tls }: NatsAddress, name: string): Promise<NatsConnection> {
  const options: NodeConnectionOptions = {
    servers: [...servers],
    name,
    // For as long as it takes: the journal itself tells its users in the meantime.
    maxReconnectAttempts: -1,
    reconnectTimeWait: 250,
    ignoreAuthErrorAbort: true,
    // A server that is gone without a word is noticed within seconds.
    pingInterval: 2_000,
    maxPingOut: 2,
    timeout: 5_000,
    ...(login === undefined ? {} : { authenticator: authenticatorFor(login) }),
    ...(tls === undefined ? {} : { tls: tlsFiles(tls) }),
  };
  // With these options the client tries for ever where its login is refused, also the first time: that is asked before.
  const once = { ...options, reconnect: false, maxReconnectAttempts: 0, ignoreAuthErrorAbort: false };
  await (await connect(once)).close();
  return await connect(options);
}

function authenticatorFor(login: NatsLogin): Authenticator {
  if ('user' in login) return usernamePasswordAuthenticator(login.user, login.password);
  if ('nkey' in login) return nkeyAuthenticator(Buffer.from(readFileSync(login.nkey, 'utf8').trim()));
  return credsAuthenticator(readFileSync(login.credentials));
}

function tlsFiles({ ca, cert, key }: NonNullable<NatsAddress['tls']>) {
  return {
    ...(ca === undefined ? {} : { caFile: ca }),
    ...(cert === undefined ? {} : { certFile: cert }),
    ...(key === undefined ? {} : { keyFile: key }),
  };
}
