import type { IncomingMessage } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { RawData } from 'ws';
import { textFrame } from '../driver/frame.js';
import { listen, parse } from './plain.js';

/**
 * The least that fan-out can cost over sockets in Node: a message is parsed and framed once, and what
 * came in one turn of the event loop is one write for each connection. Checks nothing and keeps nothing.
 */
export async function serveBound(): Promise<{ readonly port: number }> {
  const server = await listen();
  const sockets = new Set<Socket>();
  let seq = 0;
  let waiting: Buffer[] = [];
  const flush = (): void => {
    const frames = Buffer.concat(waiting);
    waiting = [];
    for (const socket of sockets) socket.write(frames);
  };
  server.on('connection', (webSocket, { socket }: IncomingMessage) => {
    sockets.add(socket);
    webSocket.on('close', () => sockets.delete(socket));
    webSocket.on('message', (data: RawData) => {
      const text = JSON.stringify({ ...parse(data), from: 'agent', seq: ++seq });
      if (waiting.push(textFrame(text, 'from server')) === 1) setImmediate(flush);
    });
  });
  return { port: (server.address() as AddressInfo).port };
}
