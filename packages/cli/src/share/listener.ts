import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type JsonObject, objectOf, parseJson, textOf } from '@proffer/core/json';
import { bearerToken, createStrangers, SUBPROTOCOL_TOKEN_PREFIX } from '@proffer/gateway/door';
import type { Certified } from './certificate.js';
import { type DeviceSignIn, TOKEN_LIFETIME } from './device-sign-in.js';
import type { Devices, PairedDevice } from './devices.js';
import { answer, forward, tunnel } from './forward.js';

export interface ShareOptions {
  readonly host: string;
  readonly port: number;
  readonly certified: Certified;
  /** The current port of the guards' gateway on this machine. */
  readonly gatewayPort: () => number;
  /** How devices sign in, and whose a token is. */
  readonly signIn: DeviceSignIn;
  readonly devices: Devices;
  readonly now: () => number;
  /** The gateway's token for a device. It never leaves this machine. */
  readonly tokenFor: (device: PairedDevice) => string;
  /** Answers a browser that knows a code: with its device, or with the reason for a refusal. */
  readonly pair: (asked: {
    readonly code: string;
    /** The public key of the device. */
    readonly key: string;
    readonly from: string;
    readonly agent: string;
    /** Aborted when the browser leaves. */
    readonly gone: AbortSignal;
  }) => Promise<PairedDevice | { readonly refused: string }>;
}

/** A listener for the local network. */
export interface Share {
  readonly port: number;
  close(): Promise<void>;
}

/** Maximum characters of a request to pair or to sign in. */
const MAX_LENGTH = 2_048;
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
  const { devices, signIn, now } = options;
  /** With its token: it ends when the token expires, or its device is revoked. */
  const open = new Map<Open, string>();
  const isValid = (token: string): boolean => signIn.find(token, now()) !== undefined;
  const begin = (one: Open, token: string): void => {
    open.set(one, token);
    one.once('close', () => open.delete(one));
  };
  const connections = countConnections();
  const server = createServer({ ...TIMES, ...options.certified }, (request, response) => {
    const token = bearerToken(request.headers.authorization) ?? '';
    const device = signIn.find(token, now());
    connections.seen(request.socket, device);
    // A device that unpairs itself still gets its answer.
    const isSignIn = sharedRoute(request.method ?? '', pathOf(request)) === 'device';
    if (device !== undefined && !isSignIn) begin(response, token);
    serve(request, response, device, options).catch(() => response.destroy());
  });
  server.on('connection', (socket: Socket) => connections.begin(socket));
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const token = carriedToken(request);
    const device = signIn.find(token, now());
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
        isAllowed: () => isValid(token),
      },
    );
  });
  const stopWatching = devices.watch(() => {
    for (const [one, token] of open) if (!isValid(token)) one.destroy();
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
    /** The peer sent a request, with the token of a device or without. */
    seen(secured: Socket, device: PairedDevice | undefined): void {
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
  device: PairedDevice | undefined,
  options: ShareOptions,
): Promise<void> {
  const route = sharedRoute(request.method ?? '', pathOf(request));
  if (route === undefined)
    return answer(response, 404, {
      code: 'unknown_route',
      detail: 'This page is not available from the phone.',
    });
  if (route === 'methods') return answer(response, 200, { methods: [{ type: 'pairing' }] });
  if (route === 'pair') return await pair(request, response, options);
  if (route === 'device') return await signInDevice(request, response, { device, options });
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
  const { code, key } = await readPosted(request);
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const paired = await options.pair({
    code: textOf(code),
    key: textOf(key),
    from: request.socket.remoteAddress ?? '',
    agent: request.headers['user-agent'] ?? '',
    gone: gone.signal,
  });
  if ('refused' in paired) return answer(response, 401, { detail: paired.refused });
  answer(response, 200, tokenOf(paired, options));
}

/**
 * `{}` asks for a challenge; `{ device, challenge, signature }` answers one and gets a token, or another challenge if
 * that one is not open here (this process may have started in between); `{ forget: true }` with a token unpairs
 * its device.
 */
async function signInDevice(
  request: IncomingMessage,
  response: ServerResponse,
  { device: caller, options }: { readonly device: PairedDevice | undefined; readonly options: ShareOptions },
): Promise<void> {
  const { signIn, devices, now } = options;
  const { device, challenge, signature, forget } = await readPosted(request);
  if (forget === true && caller !== undefined) {
    await devices.revoke(caller.name);
    return answer(response, 200, {});
  }
  const signed = { device: textOf(device), challenge: textOf(challenge), signature: textOf(signature) };
  if (signature === undefined || !signIn.isOpen(signed.challenge, now()))
    return answer(response, 200, { challenge: signIn.challenge(now()) });
  const known = signIn.check(signed, now());
  if (known === undefined) return answer(response, 401, NOT_PAIRED);
  answer(response, 200, tokenOf(known, options));
}

function tokenOf(device: PairedDevice, { signIn, now }: ShareOptions): object {
  return { device: device.name, token: signIn.issue(device, now()), expiresIn: TOKEN_LIFETIME / 1_000 };
}

/** A small JSON object; empty if it is none, or too large. */
async function readPosted(request: IncomingMessage): Promise<JsonObject> {
  let body = '';
  for await (const chunk of request.setEncoding('utf8')) {
    body += String(chunk);
    if (body.length > MAX_LENGTH) return {};
  }
  const parsed = parseJson(body);
  return parsed.ok ? objectOf(parsed.value) : {};
}

const NOT_PAIRED = {
  title: 'Unauthorized',
  status: 401,
  code: 'unauthenticated',
  detail: 'This device is not paired, or its pairing was revoked.',
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

/** What a request on the shared listener is for. */
type SharedRoute =
  /** The console's files, and links that decide for whoever has their key: for anyone. */
  | 'open'
  /** Pending proposals, history and notifications: for paired devices. */
  | 'paired'
  /** Handled by the listener itself: how to sign in, pairing, and signing in with the key of a device. */
  | 'methods'
  | 'pair'
  | 'device';

/**
 * What the network can reach of the gateway: the console and its requests. Nothing else, including routes
 * added later.
 *
 * @param path - without the query
 */
function sharedRoute(method: string, path: string): SharedRoute | undefined {
  if (method === 'POST') return POSTED[path];
  if (method !== 'GET' && method !== 'HEAD') return undefined;
  if (path === '/' || path === '/console' || path.startsWith('/console/')) return 'open';
  if (path === '/sign-in') return 'methods';
  if (path === '/whoami' || /^\/spaces\/main\/(?:feed|proposals(?:\/[^/]+)?)$/.test(path)) return 'paired';
  return undefined;
}

const POSTED: Readonly<Record<string, SharedRoute>> = {
  '/hooks/sign-in': 'pair',
  '/hooks/device': 'device',
  '/hooks/push': 'paired',
  '/hooks/decision-link': 'open',
};
