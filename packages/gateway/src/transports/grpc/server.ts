import {
  createSecureServer,
  createServer,
  type Http2SecureServer,
  type Http2Server,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { Socket } from 'node:net';
import type { LimitsConfig } from '../../config/index.js';
import { createStrangers } from '../../door/index.js';
import type { Metrics } from '../../metrics/index.js';
import type { Negotiations } from '../../negotiation/index.js';
import type { Certificate } from '../certificate.js';
import { trackSockets } from '../sockets.js';
import { watchUnfinished } from './call/index.js';
import { serveConnection } from './connection.js';
import { keepAlive } from './keep-alive.js';
import {
  createHealth,
  REFLECTION_ROUTES,
  sendRoute,
  streamSessionRoute,
  unaryRoutes,
  watchRoutes,
} from './routes/index.js';
import { CUT } from './status.js';

export interface GrpcOptions {
  readonly negotiations: Negotiations;
  readonly limits: LimitsConfig;
  readonly metrics: Metrics;
  readonly clock: () => number;
  /** Whether everything is replayed and the gateway accepts messages. */
  readonly isReady: () => boolean;
  /** Whether load balancers should send calls here: ready, and the journal can be written. */
  readonly isServing: () => boolean;
  /** A call failed with an internal error. */
  readonly onFault: (error: unknown, path: string) => void;
  /** Connections without a valid token. */
  readonly mostStrangers: number;
  /** Certificate and key; absent: no TLS. */
  readonly tls?: Certificate;
}

export interface GrpcTransport {
  /** Not listening yet. */
  readonly server: Http2Server;
  /** The gateway's readiness has changed: health watchers are notified. */
  readinessChanged(): void;
  /** A new certificate, for future connections. */
  renew(certificate: Certificate): void;
  /** Accepts no more calls, lets those in flight finish, and cuts the rest after this many milliseconds. */
  close(grace: number): Promise<void>;
}

/** Concurrent calls per connection besides the streams that a token may have. */
const MAX_CALLS = 1_000;

/** For clients that did not negotiate HTTP/2 in their handshake. */
const NOT_HTTP2 =
  'HTTP/1.0 403 Forbidden\r\ncontent-type: text/plain\r\n\r\nThis port serves gRPC over HTTP/2.\n';

/** Concurrent TLS handshakes. */
const MAX_HANDSHAKES = 1_000;

/** A stream closes on its own; without a listener its error would end the process. */
const ignore = (): void => {};

/** Timeout of a TLS handshake, in milliseconds. */
const HANDSHAKE = 10_000;

/** A generous size for an envelope without its payload. */
const AROUND_PAYLOAD = 65_536;

/**
 * MACP over gRPC, directly on HTTP/2. Messages up to four times the payload limit are read, so that their
 * sender gets a proper answer; larger ones end their call.
 */
export function createGrpcTransport(options: GrpcOptions): GrpcTransport {
  const { negotiations, limits, metrics, clock, isReady, isServing, onFault, tls } = options;
  const shared = {
    settings: { maxConcurrentStreams: limits.streamsPerToken + MAX_CALLS },
    // In megabytes. Slow readers are disconnected by their own limit; they must not end their neighbours
    // before.
    maxSessionMemory: Math.ceil((4 * limits.unacknowledgedPerConnection) / 1_000_000),
  };
  const secured =
    tls && createSecureServer({ ...tls, ...shared, ALPNProtocols: ['h2'], handshakeTimeout: HANDSHAKE });
  const server = secured ?? createServer(shared);
  if (secured !== undefined) limitHandshakes(secured, MAX_HANDSHAKES);
  secured?.on('unknownProtocol', (socket) => socket.end(NOT_HTTP2, () => socket.destroy()));
  const sockets = trackSockets(server);
  const sessions = new Set<ServerHttp2Session>();
  const strangers = createStrangers<ServerHttp2Session>({ total: options.mostStrangers });
  const alive = keepAlive(sessions);
  const unfinished = watchUnfinished(clock);
  const health = createHealth(isServing);
  const routes = new Map(
    [
      sendRoute,
      streamSessionRoute({
        badMessages: limits.badMessagesPerConnection,
        maxUnread: limits.unacknowledgedPerConnection,
        onFellBehind: () => metrics.fellBehind.inc(),
        clock,
      }),
      ...unaryRoutes(negotiations),
      ...watchRoutes(negotiations),
      ...health.routes,
      ...REFLECTION_ROUTES,
    ].map((route) => [route.path, route]),
  );

  server.on('session', (session: ServerHttp2Session) => {
    sessions.add(session);
    metrics.connections.inc({ transport: 'grpc' });
    session.once('close', () => {
      sessions.delete(session);
      strangers.forget(session);
      metrics.connections.dec({ transport: 'grpc' });
    });
    // The session closes on its own; without a listener the error would end the process.
    session.on('error', () => {});
    let isStranger = true;
    strangers.seen(session);
    const serve = serveConnection({
      negotiations,
      routes,
      unfinished,
      clock,
      isReady,
      onFault,
      onAdmitted() {
        isStranger = false;
        strangers.forget(session);
      },
      maxBytes: 4 * limits.negotiationPayloadSize + AROUND_PAYLOAD,
      maxHeld: limits.unacknowledgedPerConnection,
    });
    session.on(
      'stream',
      (stream: ServerHttp2Stream, headers: IncomingHttpHeaders, _flags: number, raw: readonly string[]) => {
        stream.on('error', ignore);
        if (isStranger) strangers.seen(session);
        try {
          serve(stream, headers, raw);
        } catch (error) {
          onFault(error, headers[':path'] ?? '');
          stream.close(CUT);
        }
      },
    );
  });

  return {
    server,
    readinessChanged: () => health.changed(),
    renew: (certificate) => secured?.setSecureContext(certificate),
    async close(grace) {
      alive.stop();
      unfinished.stop();
      health.end();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const session of sessions) session.close();
      const giveUp = setTimeout(() => {
        for (const session of sessions) session.destroy();
        sockets.destroyAll();
      }, grace);
      await closed;
      clearTimeout(giveUp);
    },
  };
}

/**
 * Limits the connections that have not finished their TLS handshake, which are not even strangers yet (I-7). Above the
 * limit, the slowest one is cut.
 */
export function limitHandshakes(server: Http2SecureServer, most: number): void {
  // Oldest first. After the handshake it is a different object, but the same peer.
  const shaking = new Map<string, Socket>();
  server.on('connection', (socket: Socket) => {
    const peer = peerOf(socket);
    shaking.set(peer, socket);
    socket.once('close', () => shaking.delete(peer));
    if (shaking.size <= most) return;
    const [longest] = shaking;
    if (longest === undefined) return;
    shaking.delete(longest[0]);
    longest[1].destroy();
  });
  server.on('secureConnection', (socket: Socket) => void shaking.delete(peerOf(socket)));
}

function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
