import type { AddressInfo } from 'node:net';
import { type RawData, WebSocketServer } from 'ws';

/**
 * The naive server: parses each message, then serialises and sends it for each connection. Checks nothing and
 * stores nothing.
 */
export async function servePlain(): Promise<{ readonly port: number }> {
  const server = await listen();
  let seq = 0;
  server.on('connection', (webSocket) => {
    webSocket.on('message', (data: RawData) => {
      const message = { ...parse(data), from: 'agent', seq: ++seq };
      for (const client of server.clients) client.send(JSON.stringify(message));
    });
  });
  return { port: (server.address() as AddressInfo).port };
}

/** A WebSocket server on a free port, without compression. */
export function listen(): Promise<WebSocketServer> {
  return new Promise((resolve, reject) => {
    const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
    server.once('error', reject);
    server.once('listening', () => resolve(server));
  });
}

export function parse(data: RawData): object {
  return JSON.parse((data as Buffer).toString()) as object;
}
