import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { textFrame } from './frame.js';
import { connectWire, receivedByAll } from './wire.js';

async function serve(options: { readonly path?: string } = {}) {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, ...options });
  onTestFinished(() => {
    for (const client of server.clients) client.terminate();
    server.close();
  });
  await once(server, 'listening');
  return { server, port: (server.address() as AddressInfo).port };
}

const SIZES = [0, 1, 125, 126, 65_535, 65_536, 200_000];

it('counts messages of any length, however the stream is split, and reports the position of each', async () => {
  const { server, port } = await serve();
  const connected = once(server, 'connection') as Promise<[WebSocket]>;
  const wire = await connectWire({ port, path: '/' });
  const lengths: number[] = [];
  wire.onMessage = (bytes, start, end) => {
    expect(bytes.subarray(start, end).equals(Buffer.alloc(end - start, 'x'))).toBe(true);
    lengths.push(end - start);
  };
  const [webSocket] = await connected;
  for (const size of SIZES) webSocket.send('x'.repeat(size));
  while (wire.received < SIZES.length) await once(wire.socket, 'data');
  expect(lengths).toEqual(SIZES);
  wire.close();
});

it('sends frames that a server understands, and answers pings', async () => {
  const { server, port } = await serve();
  const connected = once(server, 'connection') as Promise<[WebSocket]>;
  const wire = await connectWire({ port, path: '/' });
  const [webSocket] = await connected;
  const got: string[] = [];
  webSocket.on('message', (data: Buffer) => got.push(data.toString()));
  for (const size of SIZES) wire.send(textFrame('y'.repeat(size), 'to server'));
  webSocket.ping('there?');
  const [answer] = (await once(webSocket, 'pong')) as [Buffer];
  expect(answer.toString()).toBe('there?');
  expect(got.map(({ length }) => length)).toEqual(SIZES);
  wire.close();
});

it('waits until all connections have received a text', async () => {
  const { server, port } = await serve();
  server.on('connection', (webSocket) => {
    webSocket.on('message', (data: Buffer) => {
      for (const client of server.clients) client.send(`got ${data.toString()}`);
    });
  });
  const wires = await Promise.all([connectWire({ port, path: '/' }), connectWire({ port, path: '/' })]);
  const seen = receivedByAll(wires, 'marker');
  wires[0]?.send(textFrame('marker', 'to server'));
  await seen;
  expect(wires.map(({ received }) => received)).toEqual([1, 1]);
  for (const wire of wires) wire.close();
});

it("reports the server's response when the upgrade is refused", async () => {
  const { port } = await serve({ path: '/elsewhere' });
  await expect(connectWire({ port, path: '/' })).rejects.toThrow('Not let in: HTTP/1.1 400');
});
