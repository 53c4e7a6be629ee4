import type { Server, Socket } from 'node:net';

/** The open sockets of a server, in whatever state they are. */
export interface Sockets {
  destroyAll(): void;
}

/** Call it before the server listens. */
export function trackSockets(server: Server): Sockets {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return {
    destroyAll() {
      for (const socket of sockets) socket.destroy();
    },
  };
}
