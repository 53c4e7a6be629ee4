import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { createRequests } from './requests.js';

/** A server that is not a gateway, and what it does after receiving a request. */
async function strangeServer(onRequest: (socket: Socket) => void) {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => onRequest(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const { ask } = createRequests(`http://127.0.0.1:${port}`);
  return {
    send: () => ask('/macp/envelope', attempt(), { method: 'POST', body: {} }),
    close: () => server.close(),
    [Symbol.dispose]: () => void server.close(),
  };
}

const attempt = () => ({ token: 'ann', signal: new AbortController().signal });

it('N-6: reports no answer if a request cannot have arrived', async () => {
  const { send, close } = await strangeServer(() => {});
  close();
  await expect(send()).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: expect.stringMatching(/^No gateway answers at http:\S+ \(.*ECONNREFUSED.*\)\.$/),
  });
});

it('N-6: reports that it may have arrived if the connection broke before an answer', async () => {
  using server = await strangeServer((socket) => socket.destroy());
  await expect(server.send()).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: expect.stringMatching(/^No response from http:\S+ \(.+\); the request may have arrived\.$/),
  });
});

it('reports an answer from something other than a gateway', async () => {
  using server = await strangeServer((socket) => {
    socket.end('HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n<p>Welcome</p>');
  });
  await expect(server.send()).rejects.toMatchObject({
    code: 'UNSUPPORTED',
    message: expect.stringContaining('is not a Proffer gateway'),
  });
});

it('N-6: reports that it has arrived if the answer broke off', async () => {
  using server = await strangeServer((socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{', () => socket.destroy());
  });
  await expect(server.send()).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: expect.stringMatching(/^The response from http:\S+ was cut off.*; the request has arrived\.$/),
  });
});
