import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { connectGrpc } from './connection.js';

async function serve(onStream: (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => void) {
  const server = createServer();
  const sessions = new Set<ServerHttp2Session>();
  server.on('session', (session) => {
    sessions.add(session);
    session.on('error', () => {});
  });
  server.on('stream', (stream, headers) => {
    stream.on('error', () => {});
    onStream(stream, headers);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const session of sessions) session.destroy();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, sessions };
}

it('makes calls that a server understands, also with headers from the dynamic table', async () => {
  const seen: IncomingHttpHeaders[] = [];
  const { port } = await serve((stream, headers) => {
    seen.push(headers);
    stream.respond({ ':status': 200 });
    stream.pipe(stream);
  });
  const connection = await connectGrpc(port, 'buyer');
  onTestFinished(() => connection.close());
  const call = (path: string, text: string) =>
    new Promise<string>((resolve) => {
      let answer = '';
      connection.open(
        path,
        Buffer.from(text),
        { data: (bytes) => void (answer += bytes.toString()), end: () => resolve(answer) },
        true,
      );
    });
  expect(await call('/one', 'first')).toBe('first');
  expect(await Promise.all([call('/one', 'second'), call('/two', 'third')])).toEqual(['second', 'third']);
  expect(await call('/one', 'fourth')).toBe('fourth');
  expect(seen.map((headers) => headers[':path'])).toEqual(['/one', '/one', '/two', '/one']);
  for (const headers of seen) {
    expect(headers).toMatchObject({
      ':method': 'POST',
      ':authority': `127.0.0.1:${port}`,
      'content-type': 'application/grpc',
      te: 'trailers',
      authorization: 'Bearer buyer',
    });
  }
});

it('respects the flow-control window, and sends the rest when it opens', async () => {
  const pieces = 100;
  const size = 10_000;
  let got = 0;
  let go = (): void => {};
  const { port } = await serve((stream) => {
    stream.respond({ ':status': 200 });
    stream.pause();
    stream.on('data', (chunk: Buffer) => {
      got += chunk.length;
      if (got === pieces * size) stream.end();
    });
    stream.pause();
    go = () => void stream.resume();
    stream.write('there');
  });
  const connection = await connectGrpc(port, 'buyer');
  onTestFinished(() => connection.close());
  const piece = Buffer.alloc(size);
  let received = (): void => {};
  let finish = (): void => {};
  const started = new Promise<void>((resolve) => {
    received = resolve;
  });
  const ended = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const stream = connection.open('/', piece, { data: () => received(), end: () => finish() }, false);
  for (let more = 1; more < pieces; more++) connection.write(stream, piece);
  await started;
  go();
  await Promise.race([ended, connection.lost]);
  expect(got).toBe(pieces * size);
});

it('rejects when the server resets a call or the connection', async () => {
  const { port, sessions } = await serve((stream) => stream.close(8));
  const listener = { data: () => {}, end: () => {} };
  const first = await connectGrpc(port, 'buyer');
  first.open('/', Buffer.from('x'), listener, true);
  await expect(first.lost).rejects.toThrow('reset a call with 8');
  first.close();
  const second = await connectGrpc(port, 'buyer');
  for (const session of sessions) session.destroy();
  await expect(second.lost).rejects.toThrow(/ended by the server|sends the load away/);
});
