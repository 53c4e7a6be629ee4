import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Refusal } from '@proffer/core';
import { type WebSocket, WebSocketServer } from 'ws';
import {
  bearerToken,
  type ReleaseConnection,
  SUBPROTOCOL,
  SUBPROTOCOL_TOKEN_PREFIX,
} from '../../door/index.js';
import type { Metrics } from '../../metrics/index.js';
import { httpStatus, problemText } from '../problem.js';
import { createFrameReader, type FrameReaderOptions } from './frame-reader.js';

/** The ping interval for silent peers, in milliseconds. One that does not answer in time is cut. */
const INTERVAL = 30_000;

/** How many are pinged before others get a turn: ten thousand take a tenth of a second (I-7). */
const AT_ONCE = 100;

/** Finds connections whose peer disappeared: otherwise they would be written to forever. */
function keepAlive(server: WebSocketServer): { stop(): void } {
  const silent = new WeakSet<WebSocket>();
  server.on('connection', (webSocket) => {
    webSocket.on('pong', () => silent.delete(webSocket));
  });
  function ask(webSocket: WebSocket): void {
    if (silent.has(webSocket)) return webSocket.terminate();
    silent.add(webSocket);
    webSocket.ping();
  }

  async function askAll(): Promise<void> {
    let asked = 0;
    for (const webSocket of server.clients) {
      ask(webSocket);
      if (++asked % AT_ONCE === 0) await new Promise((resolve) => setImmediate(resolve));
    }
  }

  const timer = setInterval(() => void askAll(), INTERVAL);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}

/** How long the refusal of a client that connects too often is delayed: otherwise it reconnects at once (I-7). */
const REFUSAL_DELAY_MS = 1_000;
/** Beyond this number, refusals are sent without delay. */
const MAX_DELAYED = 256;
const TOO_MANY = 429;

/** An upgrade request, as Node provides it. */
export interface Upgrade {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
}

/** A WebSocket that has just been opened. */
export interface OpenedSocket {
  readonly webSocket: WebSocket;
  readonly socket: Duplex;
  /** Call it when the peer is disconnected for what it sent. */
  readonly onThrownOut: () => void;
  /**
   * Delivers single-frame text messages, before and much faster than the WebSocket would; all others
   * still come by the WebSocket, in order. Call it at once, before anything is read.
   */
  readonly takeTexts: (onText: FrameReaderOptions['onText']) => void;
}

/** Upgrades requests to WebSockets; who may have one is decided before. */
export interface Upgrades {
  /** @param leave - called once the connection no longer counts against its token */
  accept(upgrade: Upgrade, leave: ReleaseConnection, serve: (opened: OpenedSocket) => void): void;
  /** Answers with a refusal in place of a WebSocket. */
  refuse(socket: Duplex, refusal: Refusal): void;
  close(): void;
}

/** @param maxPayload - the maximum frame size in bytes; a larger one ends the connection */
export function createUpgrades(maxPayload: number, metrics: Metrics): Upgrades {
  const server = new WebSocketServer({
    noServer: true,
    // Compression costs 10 times the throughput, and lets a small frame become a large one.
    perMessageDeflate: false,
    maxPayload,
    // Answered by the connection, which counts what the peer leaves unread.
    autoPong: false,
    handleProtocols: (offered) => (offered.has(SUBPROTOCOL) ? SUBPROTOCOL : false),
  });
  const alive = keepAlive(server);
  const kept = new Set<Duplex>();
  return {
    accept({ request, socket, head }, leave, serve) {
      if (socket.destroyed) return leave();
      let isThrownOut = false;
      socket.once('close', () => leave(isThrownOut ? 'thrown out' : 'closed'));
      const onThrownOut = (): void => {
        isThrownOut = true;
      };
      const before = socket.listeners('data');
      server.handleUpgrade(request, socket, head, (webSocket) => {
        server.emit('connection', webSocket, request);
        metrics.connections.inc({ transport: 'ws' });
        webSocket.once('close', () => metrics.connections.dec({ transport: 'ws' }));
        const library = addedListener(socket, before);
        const takeTexts: OpenedSocket['takeTexts'] = (onText) => {
          if (library !== undefined) readAhead(socket, library, { maxPayload, onText });
        };
        serve({ webSocket, socket, onThrownOut, takeTexts });
      });
    },
    refuse(socket, refusal) {
      if (httpStatus(refusal.code) !== TOO_MANY || kept.size >= MAX_DELAYED) return answer(socket, refusal);
      kept.add(socket);
      const keeping = setTimeout(() => answer(socket, refusal), REFUSAL_DELAY_MS).unref();
      socket.once('close', () => {
        clearTimeout(keeping);
        kept.delete(socket);
      });
    },
    close() {
      for (const socket of kept) socket.destroy();
      alive.stop();
      server.close();
    },
  };
}

function answer(socket: Duplex, refusal: Refusal): void {
  const status = httpStatus(refusal.code);
  const body = problemText(refusal, status);
  socket.end(
    `HTTP/1.1 ${status} Refused\r\nConnection: close\r\nContent-Type: application/problem+json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    // A peer that never closes its side would otherwise keep the socket forever.
    () => socket.destroy(),
  );
}

/** From the header, or, in browsers, from the subprotocol that carries it. */
export function tokenOf(request: IncomingMessage): string | undefined {
  const offered = request.headers['sec-websocket-protocol']?.split(',').map((name) => name.trim()) ?? [];
  const carrier = offered.find((name) => name.startsWith(SUBPROTOCOL_TOKEN_PREFIX));
  if (carrier === undefined) return bearerToken(request.headers.authorization);
  return Buffer.from(carrier.slice(SUBPROTOCOL_TOKEN_PREFIX.length), 'base64url').toString();
}

/** A listener for the bytes of a socket. */
type Listener = (this: Duplex, bytes: Buffer) => void;

/**
 * Puts a frame reader in front of the WebSocket library on a socket from which nothing has been read yet. The library's
 * own listener gets what the reader leaves to it, and its place back when the reader hands over.
 */
function readAhead(
  socket: Duplex,
  library: Listener,
  options: Pick<FrameReaderOptions, 'maxPayload' | 'onText'>,
): void {
  const reader = createFrameReader({
    ...options,
    pass: (frame) => library.call(socket, frame),
    handOver(bytes) {
      socket.off('data', read);
      socket.off('close', release);
      socket.on('data', library);
      if (bytes.length > 0) library.call(socket, bytes);
    },
  });
  const read = (bytes: Buffer): void => reader.read(bytes);
  // When the socket closes, the library reads what is left in it, which continues where the reader stopped.
  const release = (): void => reader.release();
  socket.off('data', library);
  socket.on('data', read);
  socket.prependListener('close', release);
}

/**
 * The library's listener: the one a socket has now besides those it had before. `undefined` if unclear, as
 * with another version of the library: then the library reads everything itself, only slower.
 */
function addedListener(socket: Duplex, before: readonly unknown[]): Listener | undefined {
  const added = socket.listeners('data').filter((listener) => !before.includes(listener));
  return added.length === 1 ? (added[0] as Listener) : undefined;
}
