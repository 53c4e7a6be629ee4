import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type DialectName, isIdentifier, type JsonLimits, quote, type Refusal, refuse } from '@proffer/core';
import { WebSocketServer } from 'ws';
import { bearerToken } from '../auth/index.js';
import { httpStatus } from '../http/status.js';
import { hasToken, readTarget, type Target } from '../http/target.js';
import type { Door } from '../intake/door.js';
import type { Metrics } from '../metrics/metrics.js';
import { type Asked, serveConnection } from './connection.js';
import { keepAlive } from './keep-alive.js';

/** The subprotocol that a browser offers beside `TOKEN_PREFIX` and its token, since it cannot set headers. */
export const SUBPROTOCOL = 'proffer.v1';
export const TOKEN_PREFIX = 'proffer.token.';

/**
 * For how long a connection that was closed for what it sent still counts as one of its token, in
 * milliseconds: who comes back at once to go on does so only as often as it may have connections (I-7).
 */
const COOLING = 10_000;

export interface WebSocketOptions {
  readonly door: Door;
  readonly clock: () => number;
  readonly limits: JsonLimits;
  readonly metrics: Metrics;
}

export interface WebSocketTransport {
  /** Takes over a request that asks for an upgrade. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  close(): void;
}

/**
 * `GET /ws?space=NAME[&after=SEQ][&routing=all|directed][&dialect=NAME][&instance=ID]`, with a token: one envelope per
 * message, in both directions. Frames up to four times the message limit are read, so that the sender
 * gets an error and keeps the connection; larger ones end it.
 */
export function createWebSocketTransport(options: WebSocketOptions): WebSocketTransport {
  const { door, limits, metrics } = options;
  const server = new WebSocketServer({
    noServer: true,
    // Compression costs 10 times the throughput, and lets a small frame become a large one.
    perMessageDeflate: false,
    maxPayload: 4 * limits.maxBytes,
    // Answered by the connection, which counts what the peer leaves unread.
    autoPong: false,
    handleProtocols: (offered) => (offered.has(SUBPROTOCOL) ? SUBPROTOCOL : false),
  });
  const alive = keepAlive(server);

  async function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const asked = readAsked(readTarget(request.url));
    if ('refused' in asked) return refuseUpgrade(socket, asked.refused);
    const { guest, refused, leave } = await door.connect(tokenOf(request), asked.space);
    if (guest === undefined) return refuseUpgrade(socket, refused);
    if (socket.destroyed) return leave?.();
    let isThrownOut = false;
    socket.once('close', () => {
      if (isThrownOut) setTimeout(() => leave?.(), COOLING).unref();
      else leave?.();
    });
    server.handleUpgrade(request, socket, head, (webSocket) => {
      server.emit('connection', webSocket, request);
      metrics.connections.inc({ transport: 'ws' });
      webSocket.once('close', () => metrics.connections.dec({ transport: 'ws' }));
      const onThrownOut = (): void => {
        isThrownOut = true;
      };
      serveConnection({ ...options, webSocket, socket, guest, asked, onThrownOut });
    });
  }

  function refuseUpgrade(socket: Duplex, refusal: Refusal): void {
    metrics.refusals.inc({ code: refusal.code });
    const { code, message, details } = refusal;
    const body = `${JSON.stringify({ error: { code, message, details } })}\n`;
    socket.end(
      `HTTP/1.1 ${httpStatus(code)} Refused\r\nConnection: close\r\nContent-Type: application/json\r\n` +
        `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
      // A peer that never closes its side would otherwise keep the socket for ever.
      () => socket.destroy(),
    );
  }

  return {
    upgrade(request, socket, head) {
      socket.on('error', () => socket.destroy());
      void upgrade(request, socket, head).catch(() => socket.destroy());
    },
    close() {
      alive.stop();
      server.close();
    },
  };
}

/** From the header, or, in browsers, from the subprotocol that carries it. */
function tokenOf(request: IncomingMessage): string | undefined {
  const offered = request.headers['sec-websocket-protocol']?.split(',').map((name) => name.trim()) ?? [];
  const carrier = offered.find((name) => name.startsWith(TOKEN_PREFIX));
  if (carrier === undefined) return bearerToken(request.headers.authorization);
  return Buffer.from(carrier.slice(TOKEN_PREFIX.length), 'base64url').toString();
}

const DIALECTS: readonly DialectName[] = ['mcpx', 'mcpx-slash', 'legacy', 'mew/v0.4'];

function readAsked(target: Target): (Asked & { readonly space: string }) | { readonly refused: Refusal } {
  const { path, query } = target;
  if (hasToken(target)) {
    return { refused: refuse('token_in_url', 'The address has a token in it, where logs would keep it.') };
  }
  const space = query.get('space') ?? query.get('topic');
  if (path !== '/ws') return { refused: refuse('unknown_route', `There is no ${quote(path)}.`, { path }) };
  if (space === null || space === '') return invalid('space', space, 'the name of a space');
  const after = query.get('after');
  if (after !== null && !/^\d{1,15}$/.test(after)) return invalid('after', after, 'the seq of a message');
  const routing = query.get('routing') ?? 'all';
  if (routing !== 'all' && routing !== 'directed') return invalid('routing', routing, 'all or directed');
  const named = query.get('dialect') ?? 'mcpx';
  const dialect = DIALECTS.find((name) => name === named);
  if (dialect === undefined) return invalid('dialect', named, DIALECTS.join(', '));
  const instance = query.get('instance');
  if (instance !== null && !isIdentifier(instance))
    return invalid('instance', instance, 'up to 128 characters');
  return {
    space,
    routing,
    dialect,
    ...(after === null ? {} : { after: Number(after) }),
    ...(instance === null ? {} : { instance }),
  };
}

function invalid(field: string, found: string | null, expected: string): { readonly refused: Refusal } {
  const sentence = found === null ? `The address names no ${field}.` : `${field} in the address is wrong.`;
  return {
    refused: refuse(found === null ? 'missing_field' : 'invalid_field', sentence, { field, found, expected }),
  };
}
