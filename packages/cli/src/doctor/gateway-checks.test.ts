import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { checkGateway } from './gateway-checks.js';

it.each([502, 503, 504])('a proxy that answers %i is not taken for a wrong address', async (status) => {
  const server = createServer((_request, response) => void response.writeHead(status).end('<html>'));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const endpoint = { url, space: 'main', token: 'x', assumed: false, given: {} };
  const { finding, isUp } = await checkGateway(endpoint, { name: 'proffer' });
  expect(isUp).toBe(false);
  expect(finding).toMatchObject({
    state: 'bad',
    message: `A proxy answers at ${url}, but no gateway behind it is ready (HTTP status ${status}).`,
    remedy: expect.stringMatching(/^Try again in a moment/),
  });
});
