import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { textOf } from '@proffer/core/json';
import { bearerToken, SUBPROTOCOL_TOKEN_PREFIX } from '@proffer/gateway';
import type { Certified } from './certificate.js';
import type { Device } from './devices.js';
import { answer, forward, tunnel } from './forward.js';
import { sharedRoute } from './routes.js';

export interface ShareOptions {
  readonly host: string;
  readonly port: number;
  readonly certified: Certified;
  /** The current port of the guards' gateway on this machine. */
  readonly gatewayPort: () => number;
  /** The owner of this token; nothing once it was revoked. */
  readonly find: (token: string) => Device | undefined;
  /** The gateway's token for a device. It never leaves this machine. */
  readonly tokenFor: (device: Device) => string;
  /** Answers a device that knows a code: with its token, or with the reason for a refusal. */
  readonly pair: (asked: {
    readonly code: string;
    readonly from: string;
    readonly agent: string;
  }) => Promise<Paired>;
}

export type Paired = { readonly token: string } | { readonly refused: string };

/** A listener for the local network. */
export interface Share {
  readonly port: number;
  close(): Promise<void>;
}

/** How often connections are checked against the list of devices, in milliseconds. */
const INSPECTION = 500;
/** Maximum bytes of a pairing request. */
const MAX_BYTES = 1_024;
const TIMES = { headersTimeout: 10_000, requestTimeout: 20_000, handshakeTimeout: 10_000 } as const;
const MAX_CONNECTIONS = 100;

/** Lets paired devices on the network use the console. Throws listening errors. */
export async function startShare(options: ShareOptions): Promise<Share> {
  const live = new Map<Duplex, string>();
  const server = createServer({ ...TIMES, ...options.certified }, (request, response) => {
    serve(request, response, options).catch(() => response.destroy());
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const token = carriedToken(request);
    const device = options.find(token);
    socket.on('error', () => socket.destroy());
    if (device === undefined || pathOf(request) !== '/ws') {
      socket.end(REFUSED_UPGRADE);
      return;
    }
    live.set(socket, token);
    socket.once('close', () => live.delete(socket));
    tunnel({ request, socket, head }, { port: options.gatewayPort(), token: options.tokenFor(device) });
  });
  const inspection = setInterval(() => {
    for (const [socket, token] of live) if (options.find(token) === undefined) socket.destroy();
  }, INSPECTION);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  }).catch((error: unknown) => {
    clearInterval(inspection);
    throw error;
  });
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      clearInterval(inspection);
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of live.keys()) socket.destroy();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  options: ShareOptions,
): Promise<void> {
  const route = sharedRoute(request.method ?? '', pathOf(request));
  if (route === undefined)
    return answer(response, 404, {
      code: 'unknown_route',
      detail: 'This page is not available from the phone.',
    });
  if (route === 'pair') return await pair(request, response, options);
  const device = options.find(bearerToken(request.headers.authorization) ?? '');
  if (route === 'paired' && device === undefined) return answer(response, 401, NOT_PAIRED);
  forward(request, response, {
    port: options.gatewayPort(),
    ...(device === undefined ? {} : { token: options.tokenFor(device) }),
  });
}

async function pair(
  request: IncomingMessage,
  response: ServerResponse,
  options: ShareOptions,
): Promise<void> {
  let body = '';
  for await (const chunk of request.setEncoding('utf8')) {
    body += String(chunk);
    if (body.length > MAX_BYTES) return answer(response, 413, { detail: 'That is not a valid code.' });
  }
  const paired = await options.pair({
    code: codeIn(body),
    from: request.socket.remoteAddress ?? '',
    agent: request.headers['user-agent'] ?? '',
  });
  if ('refused' in paired) return answer(response, 401, { detail: paired.refused });
  answer(response, 200, paired);
}

function codeIn(body: string): string {
  try {
    const { code } = JSON.parse(body) as { readonly code?: unknown };
    return textOf(code);
  } catch {
    return '';
  }
}

const NOT_PAIRED = {
  title: 'Unauthorized',
  status: 401,
  code: 'unauthenticated',
  detail: 'This device is not paired, or was revoked.',
};
const REFUSED_BODY = JSON.stringify(NOT_PAIRED);
const REFUSED_UPGRADE =
  'HTTP/1.1 401 Unauthorized\r\nConnection: close\r\nContent-Type: application/problem+json\r\n' +
  `Content-Length: ${Buffer.byteLength(REFUSED_BODY)}\r\n\r\n${REFUSED_BODY}`;

/** From the subprotocol, since browsers cannot set headers on a WebSocket, or from the header. */
function carriedToken({ headers }: IncomingMessage): string {
  const offered = headers['sec-websocket-protocol']?.split(',').map((name) => name.trim()) ?? [];
  const carrier = offered.find((name) => name.startsWith(SUBPROTOCOL_TOKEN_PREFIX));
  if (carrier === undefined) return bearerToken(headers.authorization) ?? '';
  return Buffer.from(carrier.slice(SUBPROTOCOL_TOKEN_PREFIX.length), 'base64url').toString();
}

/** The path, if it is unambiguous: no spelling of `..` gets past the routes. */
function pathOf({ url = '/' }: IncomingMessage): string {
  const [path = ''] = url.split('?', 1);
  const isPlain = path.startsWith('/') && URL.canParse(path, ANY) && new URL(path, ANY).pathname === path;
  return isPlain ? path : '';
}

const ANY = 'http://localhost';
