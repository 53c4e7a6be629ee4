import type { IncomingMessage } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';
import type { RawData } from 'ws';
import { openGroupCommit } from '../../journal/group-commit.js';
import { textFrame } from '../driver/frame.js';
import { listen, parse } from './plain.js';

export interface BoundOptions {
  /** Where messages are stored: each is on disk before it is delivered. Absent: nothing is stored. */
  readonly folder?: string;
}

/**
 * The lower bound for fan-out over sockets in Node: a message is parsed and framed once, and everything
 * received in one turn of the event loop goes out in one write per connection. Checks nothing. With a folder,
 * everything waiting for the disk is one write and one sync; without one, nothing is stored.
 */
export async function serveBound({ folder }: BoundOptions): Promise<{ readonly port: number }> {
  const server = await listen();
  const disk = folder === undefined ? undefined : await openGroupCommit(join(folder, 'kept'));
  const sockets = new Set<Socket>();
  let seq = 0;
  let waiting: Buffer[] = [];
  const flush = (): void => {
    const frames = Buffer.concat(waiting);
    waiting = [];
    for (const socket of sockets) socket.write(frames);
  };
  const deliver = (frame: Buffer): void => {
    if (waiting.push(frame) === 1) setImmediate(flush);
  };
  server.on('connection', (webSocket, { socket }: IncomingMessage) => {
    sockets.add(socket);
    webSocket.on('close', () => sockets.delete(socket));
    webSocket.on('message', (data: RawData) => {
      // Modifies the parsed object: adding fields to a copy is much slower.
      const message = Object.assign(parse(data), { from: 'agent', seq: ++seq });
      const frame = textFrame(JSON.stringify(message), 'from server');
      if (disk === undefined) deliver(frame);
      else void disk.append(frame).then(() => deliver(frame));
    });
  });
  return { port: (server.address() as AddressInfo).port };
}
