import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { createStrangers, STRANGER_BYTES, type StrangerLimits } from '../../door/index.js';
import { trackSockets } from '../sockets.js';

/** The unauthenticated connections of an HTTP server. */
export interface HttpConnections {
  /** The peer was authenticated: it is no longer a stranger. */
  readonly admitted: (request: IncomingMessage) => void;
  /** Limits what a stranger sends, during and after the answer to its request. Call it for each request. */
  readonly limitStranger: (request: IncomingMessage, response: ServerResponse) => void;
  /** Accepts no more; resolves when all are closed: busy ones when they are answered, or after this many milliseconds. */
  readonly close: (grace: number) => Promise<void>;
}

/** How often connections are checked while the server closes, in milliseconds. */
const CUT_EVERY = 50;

/** Timeout for the rest of such a request, in milliseconds. */
const MAX_REST = 2_000;

interface Connection {
  readonly socket: Socket;
  isUsed: boolean;
  destroy(): void;
}

export function trackConnections(server: Server, limits: StrangerLimits): HttpConnections {
  const strangers = createStrangers<Connection>(limits);
  // By remote address and port: under TLS, the socket of a request is not the accepted one.
  const unknown = new Map<string, Connection>();
  const sockets = trackSockets(server);
  const answers = new Set<ServerResponse>();
  /** Whether an answer is complete and not all of it is sent: Node takes its connection for idle, and would cut it. */
  const isSending = (): boolean => Array.from(answers).some(({ writableEnded }) => writableEnded);
  const cutIdle = (): void => {
    if (!isSending()) server.closeIdleConnections();
  };

  server.on('connection', (socket) => {
    const origin = originOf(socket);
    const connection = { socket, isUsed: false, destroy: () => void socket.destroy() };
    unknown.set(origin, connection);
    socket.once('close', () => {
      strangers.forget(connection);
      if (unknown.get(origin) === connection) unknown.delete(origin);
    });
    strangers.seen(connection, socket.remoteAddress);
  });

  function use({ socket }: Pick<IncomingMessage, 'socket'>): void {
    const connection = unknown.get(originOf(socket));
    if (connection === undefined) return;
    connection.isUsed = true;
    if (strangers.has(connection)) strangers.seen(connection, socket.remoteAddress);
  }
  server.prependListener('request', use);
  server.prependListener('upgrade', use);
  server.prependListener('request', (_request, response: ServerResponse) => {
    answers.add(response);
    response.once('close', () => answers.delete(response));
  });

  return {
    admitted({ socket }) {
      const origin = originOf(socket);
      const connection = unknown.get(origin);
      if (connection !== undefined) strangers.forget(connection);
      unknown.delete(origin);
    },
    limitStranger(request, response) {
      const { socket } = request;
      const isStranger = () => unknown.has(originOf(socket));
      if (!isStranger()) return;
      response.once('prefinish', () => {
        if (isStranger() && !request.complete) limitRest(request);
      });
      response.once('finish', () => {
        if (isStranger() && request.complete && socket.bytesRead > STRANGER_BYTES) socket.destroySoon();
      });
    },
    async close(grace) {
      // The HTTP server's own `close` would also cut connections that Node takes for idle.
      const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));
      const giveUp = setTimeout(() => sockets.destroyAll(), grace);
      cutIdle();
      // Keep-alive connections are cut when their request is answered, or soon. Browsers open some ahead of time
      // without a request: they must not delay shutdown.
      const cutting = setInterval(() => {
        cutIdle();
        for (const { socket, isUsed } of unknown.values()) if (!isUsed) socket.destroy();
      }, CUT_EVERY);
      await closed;
      clearInterval(cutting);
      clearTimeout(giveUp);
      // `server.close` also stops the timer with which Node looks at connections.
      server.close();
    },
  };
}

/** The rest is read and dropped, since a client that only sends would not see the answer; but not forever. */
function limitRest(request: IncomingMessage): void {
  let left = STRANGER_BYTES;
  const cut = (): void => void request.socket.destroy();
  const giveUp = setTimeout(cut, MAX_REST).unref();
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) cut();
  });
  request.once('close', () => clearTimeout(giveUp));
  // At once: otherwise the server silently reads the body to its end once the answer is complete.
  request.read(0);
}

function originOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
