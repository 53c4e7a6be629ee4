import type { Http2SecureServer } from 'node:http2';
import type { Socket } from 'node:net';

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
