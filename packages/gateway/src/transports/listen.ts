import {
  createServer,
  type Server as HttpServer,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { failure, type Result, refuse, success } from '@proffer/core';
import type { ServedAddress } from '../companion.js';
import type { Address } from '../config/index.js';
import type { Certificate } from './certificate.js';

/** A slow peer holds a socket, not a thread; still, not forever. */
const TIMES = { headersTimeout: 10_000, requestTimeout: 60_000, connectionsCheckingInterval: 1_000 } as const;

/** Timeout of a TLS handshake, in milliseconds. */
const HANDSHAKE = 10_000;

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

/** An HTTP server; `secured` is the same one, if there is a certificate. */
export function createHttpServer(
  certificate: Certificate | undefined,
  handle: Handle,
): { readonly server: HttpServer; readonly secured?: TlsServer } {
  if (certificate === undefined) return { server: createServer(TIMES, handle) };
  const secured = createTlsServer({ ...TIMES, ...certificate, handshakeTimeout: HANDSHAKE }, handle);
  return { server: secured, secured };
}

/** Makes a server listen. Refuses, naming the configuration key, if the address is not available. */
export async function listen(
  server: Server,
  address: Address | undefined,
  { isSecure, field }: { readonly isSecure: boolean; readonly field: string },
): Promise<Result<ServedAddress>> {
  if (address === undefined)
    return failure(refuse('cannot_listen', `${field} is off: there is nothing to serve.`, { field }));
  const { host } = address;
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(address.port, host, () => resolve());
    });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const details = { field, host, port: address.port };
    return failure(refuse('cannot_listen', `Listening on ${field} failed: ${why}.`, details));
  }
  const { port } = server.address() as AddressInfo;
  return success({ host, port, secure: isSecure });
}
