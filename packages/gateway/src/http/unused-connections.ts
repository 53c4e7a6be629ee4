import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

/** Connections on which no request has come yet. */
export interface UnusedConnections {
  /** Cuts them: whoever opens one ahead of time, as browsers do, must not hold up the end. */
  cut(): void;
}

/** The server itself counts a connection as idle only after its first request. */
export function trackUnusedConnections(server: Server): UnusedConnections {
  // By where they come from: under TLS, the socket of a request is not the one that was accepted.
  const unused = new Map<string, Socket>();
  const use = ({ socket }: Pick<IncomingMessage, 'socket'>): void => {
    unused.delete(originOf(socket));
  };
  server.on('connection', (socket) => {
    const origin = originOf(socket);
    unused.set(origin, socket);
    socket.once('close', () => {
      if (unused.get(origin) === socket) unused.delete(origin);
    });
  });
  server.prependListener('request', use);
  server.prependListener('upgrade', use);
  return {
    cut() {
      for (const socket of unused.values()) socket.destroy();
    },
  };
}

function originOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
