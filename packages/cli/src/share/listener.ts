import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { textOf } from '@proffer/core/json';
import { bearerToken, createStrangers, SUBPROTOCOL_TOKEN_PREFIX } from '@proffer/gateway';
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
  /** Calls back when a device may have been revoked; returns how to stop. */
  readonly watch: (onChange: () => void) => () => void;
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

/** Maximum bytes of a pairing request. */
const MAX_BYTES = 1_024;
const TIMES = {
  headersTimeout: 10_000,
  requestTimeout: 20_000,
  handshakeTimeout: 10_000,
  connectionsCheckingInterval: 1_000,
} as const;

/**
 * Connections without a paired device's token, over all addresses and from each, and those of devices, over all and of
 * each. Above that, the one silent for longest is cut: whoever only holds connections locks nobody out.
 */
const STRANGERS = { total: 100, perAddress: 16 };
const DEVICES = { total: 256, perAddress: 32 };

/** What a device has open: a request in progress, a stream, a WebSocket. */
interface Open {
  destroy(): unknown;
  once(event: 'close', listener: () => void): unknown;
}

/** Lets paired devices on the network use the console. Throws listening errors. */
export async function startShare(options: ShareOptions): Promise<Share> {
  /** With the token of its device: it ends when the device is revoked. */
  const open = new Map<Open, string>();
  const begin = (one: Open, token: string): void => {
    open.set(one, token);
    one.once('close', () => open.delete(one));
  };
  const connections = countConnections();
  const server = createServer({ ...TIMES, ...options.certified }, (request, response) => {
    const token = bearerToken(request.headers.authorization) ?? '';
    const device = options.find(token);
    connections.seen(request.socket, device);
    if (device !== undefined) begin(response, token);
    serve(request, response, device, options).catch(() => response.destroy());
  });
  server.on('connection', (socket: Socket) => connections.begin(socket));
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const token = carriedToken(request);
    const device = options.find(token);
    connections.seen(request.socket, device);
    socket.on('error', () => socket.destroy());
    if (device === undefined || pathOf(request) !== '/ws') {
      socket.end(REFUSED_UPGRADE);
      return;
    }
    begin(socket, token);
    tunnel(
      { request, socket, head },
      {
        port: options.gatewayPort(),
        token: options.tokenFor(device),
        isAllowed: () => options.find(token) !== undefined,
      },
    );
  });
  const stopWatching = options.watch(() => {
    for (const [one, token] of open) if (options.find(token) === undefined) one.destroy();
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  }).catch((error: unknown) => {
    stopWatching();
    throw error;
  });
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      stopWatching();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const one of open.keys()) one.destroy();
      server.closeAllConnections();
      await closed;
    },
  };
}

function addressOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}

/** Limits connections, from before the TLS handshake on. */
function countConnections() {
  const strangers = createStrangers<Socket>(STRANGERS);
  const devices = createStrangers<Socket>(DEVICES);
  // A TLS socket does not name the connection it is on, but has its address.
  const byAddress = new Map<string, Socket>();
  return {
    begin(socket: Socket): void {
      const address = addressOf(socket);
      byAddress.set(address, socket);
      socket.once('close', () => {
        byAddress.delete(address);
        strangers.forget(socket);
        devices.forget(socket);
      });
      strangers.seen(socket, socket.remoteAddress);
    },
    /** It sent a request, with the token of a device or without. */
    seen(secured: Socket, device: Device | undefined): void {
      const socket = byAddress.get(addressOf(secured));
      if (socket === undefined) return;
      if (device === undefined) {
        if (!devices.has(socket)) strangers.seen(socket, socket.remoteAddress);
        return;
      }
      strangers.forget(socket);
      devices.seen(socket, device.name);
    },
  };
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  device: Device | undefined,
  options: ShareOptions,
): Promise<void> {
  const route = sharedRoute(request.method ?? '', pathOf(request));
  if (route === undefined)
    return answer(response, 404, {
      code: 'unknown_route',
      detail: 'This page is not available from the phone.',
    });
  if (route === 'pair') return await pair(request, response, options);
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
