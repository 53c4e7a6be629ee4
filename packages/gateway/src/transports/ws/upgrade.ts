import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Refusal } from '@proffer/core';
import { type WebSocket, WebSocketServer } from 'ws';
import { bearerToken, type Leave, SUBPROTOCOL_TOKEN_PREFIX } from '../../door/index.js';
import type { Metrics } from '../../metrics/index.js';
import { httpStatus, problemText } from '../problem.js';
import { keepAlive } from './keep-alive.js';
import { addedListener, readAhead } from './read-ahead.js';

/** The subprotocol that a browser offers besides the one with its token. */
export const SUBPROTOCOL = 'proffer.v1';

/**
 * How long the refusal of a client that connects too often is delayed, in milliseconds: it would come again
 * at once (I-7). Only so many are delayed; the others are told at once.
 */
const KEEPING = 1_000;
const MAX_KEPT = 256;
const TOO_MANY = 429;

/** An upgrade request, as Node provides it. */
export interface Upgrade {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
}

/** A WebSocket that has just been opened. */
export interface Opened {
  readonly webSocket: WebSocket;
  readonly socket: Duplex;
  /** Call it when the peer is disconnected for what it sent. */
  readonly onThrownOut: () => void;
  /**
   * Delivers single-frame text messages as text, before and much faster than the WebSocket would; all others
   * still come by the WebSocket, in order. Call it at once, before anything is read.
   */
  readonly takeTexts: (onText: (text: string) => void) => void;
}

/** Upgrades requests to WebSockets; who may have one is decided before. */
export interface Upgrades {
  /** @param leave - called once the connection no longer counts against its token */
  accept(upgrade: Upgrade, leave: Leave, serve: (opened: Opened) => void): void;
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
        const takeTexts = (onText: (text: string) => void): void => {
          if (library !== undefined) readAhead(socket, library, { maxPayload, onText });
        };
        serve({ webSocket, socket, onThrownOut, takeTexts });
      });
    },
    refuse(socket, refusal) {
      if (httpStatus(refusal.code) !== TOO_MANY || kept.size >= MAX_KEPT) return answer(socket, refusal);
      kept.add(socket);
      const keeping = setTimeout(() => answer(socket, refusal), KEEPING).unref();
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
