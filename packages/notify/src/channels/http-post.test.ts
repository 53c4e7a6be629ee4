import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { post } from './http-post.js';

it('reads only the start of a long response', async () => {
  const server = createServer((_request, response) => void response.end('x'.repeat(1_000_000)));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { signal } = new AbortController();
  const posted = await post({ url, headers: {}, body: '{}', signal, now: 0 });
  expect(posted).toEqual({ ok: true, text: 'x'.repeat(65_536) });
});
