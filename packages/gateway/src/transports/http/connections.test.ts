import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, it } from 'vitest';
import { trackConnections } from './connections.js';

/** More than the system takes in advance. */
const BODY = Buffer.alloc(32 * 1_048_576);

it.each([
  ['sends a slow reader the rest of its answer', 60_000, BODY.length, Number.POSITIVE_INFINITY],
  ['cuts one that does not read once the time is up', 100, 0, BODY.length],
])('I-7: a server that closes %s', async (_, grace, least, most) => {
  const server = createServer((_request, response) => void response.end(BODY)).listen(0, '127.0.0.1');
  const connections = trackConnections(server, { total: 10 });
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.on('error', () => {});
  const asked = once(server, 'request');
  client.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n');
  await asked;
  const closed = connections.close(grace);
  if (least === 0) await closed;
  let length = 0;
  client.on('data', (data: Buffer) => {
    length += data.length;
  });
  await once(client, 'close');
  await closed;
  expect(length).toBeGreaterThanOrEqual(least);
  expect(length).toBeLessThan(most);
});

it('I-7: a server that closes accepts no more, also while it sends the rest of an answer', async () => {
  const server = createServer((_request, response) => void response.end(BODY)).listen(0, '127.0.0.1');
  const connections = trackConnections(server, { total: 10 });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = connect(port, '127.0.0.1').on('error', () => {});
  const asked = once(server, 'request');
  client.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n');
  await asked;
  const closed = connections.close(60_000);
  await expect(once(connect(port, '127.0.0.1'), 'connect')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  client.resume();
  await closed;
});
