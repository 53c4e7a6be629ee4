import type { IncomingMessage } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';
import type { RawData } from 'ws';
import { openGroupCommit } from '../../journal/group-commit.js';
import { textFrame } from '../driver/frame.js';
import { listen, parse } from './plain.js';

export interface BoundOptions {
  /** Where messages are kept: each is on the disk before anybody gets it. Absent: nothing is kept. */
  readonly folder?: string;
}

/**
 * The least that fan-out can cost over sockets in Node: a message is parsed and framed once, and what
 * came in one turn of the event loop is one write for each connection. Checks nothing; with a folder, what
 * waits for the disk is one write and one sync, and without one nothing is kept.
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
      // Into the object that was read: engines take far longer to add to a copy.
      const message = Object.assign(parse(data), { from: 'agent', seq: ++seq });
      const frame = textFrame(JSON.stringify(message), 'from server');
      if (disk === undefined) deliver(frame);
      else void disk.append(frame).then(() => deliver(frame));
    });
  });
  return { port: (server.address() as AddressInfo).port };
}
