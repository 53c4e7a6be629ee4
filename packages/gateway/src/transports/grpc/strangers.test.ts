import { once } from 'node:events';
import { connect as connectSocket, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { HEALTH_SERVICE as HEALTH, REFLECTION_SERVICE, RUNTIME_SERVICE as RPC } from '@proffer/wire';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readMetric, until } from '../../testing/metrics.js';
import { startTestGateway, type TestGateway } from '../../testing/test-gateway.js';
import { answerOf, connectRaw, framed, type RawConnection } from './testing/raw-call.js';

const NOBODY = { authorization: '' };
const REFLECTION = REFLECTION_SERVICE.serverReflectionInfo;
const ask = framed(
  REFLECTION.request.write({ host: '', file_containing_symbol: 'macp.v1.MACPRuntimeService' }),
);

let gateway: TestGateway;
let now: number;
let raw: RawConnection;
beforeEach(async () => {
  now = Date.now();
  // Only the timer for requests that take too long is faked.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  gateway = await startTestGateway('dev: true', undefined, () => now);
  raw = await connectRaw(gateway.grpcPort);
});
afterEach(async () => {
  const { headers } = await raw.call(RPC.listModes.path, framed(Buffer.of()));
  raw[Symbol.dispose]();
  await gateway.gateway.close();
  vi.useRealTimers();
  if (headers['grpc-status'] !== '0') throw new Error('Others are not served any more.');
});

describe('callers without a token', () => {
  it('I-7: are refused by their headers, before they have sent anything', async () => {
    const paths = [RPC.listSessions.path, RPC.watchSessions.path, RPC.streamSession.path];
    const answers = await Promise.all(paths.map((path) => answerOf(raw.begin(path, NOBODY))));
    for (const { headers } of answers) {
      expect(headers).toMatchObject({ 'grpc-status': '16', 'macp-error-code': 'UNAUTHENTICATED' });
    }
  });

  it('I-7: have no large message buffered, only what an answer needs', async () => {
    using stranger = await connectRaw(gateway.grpcPort);
    const stream = stranger.begin(RPC.send.path, NOBODY);
    const answer = answerOf(stream);
    stream.write(framed(Buffer.alloc(1_000), { length: 100_000 }));
    expect((await answer).headers['grpc-status']).toBe('16');
    const small = await stranger.call(RPC.send.path, framed(Buffer.of()), NOBODY);
    expect(small.headers['grpc-status']).toBe('0');
    // Many that are each small enough, but too large together.
    const many = Array.from({ length: 20 }, () => stranger.begin(RPC.send.path, NOBODY));
    const answers = Promise.race(many.map((one) => answerOf(one)));
    for (const one of many) one.write(framed(Buffer.alloc(50_000), { length: 60_000 }));
    expect((await answers).headers['grpc-status']).toBe('16');
    for (const one of many) one.close(8);
    await until(() => many.every(({ destroyed }) => destroyed));
  });

  it.each([HEALTH.check.path, RPC.initialize.path])('I-7: %s reads only what is small', async (path) => {
    const large = await raw.call(path, framed(Buffer.alloc(70_000)), NOBODY);
    expect(large.headers['grpc-status']).toBe('8');
    const unpacked = framed(gzipSync(Buffer.alloc(70_000)), { flag: 1 });
    const { headers } = await raw.call(path, unpacked, { ...NOBODY, 'grpc-encoding': 'gzip' });
    expect(headers).toMatchObject({
      'grpc-status': '8',
      'grpc-message': expect.stringContaining('PAYLOAD_TOO_LARGE'),
    });
  });

  it('I-7: reflection that is not read ends, and a connection has few such calls', async () => {
    using stranger = await connectRaw(gateway.grpcPort);
    const warnings: Error[] = [];
    const warn = (warning: Error): void => void warnings.push(warning);
    process.on('warning', warn);
    const one = stranger.begin(REFLECTION.path, NOBODY);
    one.pause();
    one.write(Buffer.concat(Array(400).fill(ask)));
    await once(one, 'response');
    const over = answerOf(one);
    one.resume();
    expect((await over).messages.length).toBeLessThan(30);

    const many = Array.from({ length: 40 }, async () => {
      const stream = stranger.begin(REFLECTION.path, NOBODY);
      stream.pause();
      stream.write(ask);
      const [headers] = (await once(stream, 'response')) as [Record<string, unknown>];
      return headers['grpc-status'];
    });
    const statuses = await Promise.all(many);
    expect(statuses.filter((status) => status === '8').length).toBeGreaterThan(20);
    process.off('warning', warn);
    expect(warnings.map(({ name }) => name)).not.toContain('MaxListenersExceededWarning');
  });

  it('reflection answers a client that reads as often as it asks', async () => {
    using stranger = await connectRaw(gateway.grpcPort);
    const stream = stranger.begin(REFLECTION.path, NOBODY);
    const over = answerOf(stream);
    for (let count = 0; count < 60; count++) {
      stream.write(ask);
      await once(stream, 'data');
    }
    stream.end();
    const { headers, messages } = await over;
    expect([headers['grpc-status'], messages.length]).toEqual(['0', 60]);
  });

  it('I-7: have limited connections; the one silent for longest is cut', async () => {
    using asking = await connectRaw(gateway.grpcPort);
    const sockets: Socket[] = [];
    let cut = 0;
    try {
      await raw.call(RPC.listSessions.path, framed(Buffer.of()));
      for (let count = 0; count < 1_010; count++) {
        const socket = connectSocket(gateway.grpcPort, '127.0.0.1');
        sockets.push(socket);
        socket.on('error', () => {});
        socket.on('close', () => cut++);
        socket.resume();
        await once(socket, 'connect');
        if (count % 100 !== 99) continue;
        const { headers } = await asking.call(HEALTH.check.path, framed(Buffer.of()), NOBODY);
        expect(headers['grpc-status']).toBe('0');
      }
      await until(() => cut > 10);
      expect(cut).toBe(11);
      expect(await readMetric(gateway.http, 'proffer_connections', '{transport="grpc"}')).toBe(1_001);
    } finally {
      for (const socket of sockets) socket.destroy();
    }
  });
});

describe('requests', () => {
  it('I-7: one that is never complete ends after a while', async () => {
    const stream = raw.begin(RPC.send.path);
    const answer = answerOf(stream);
    stream.write(framed(Buffer.alloc(10), { length: 20 }));
    await raw.call(RPC.listModes.path, framed(Buffer.of()));
    now += 31_000;
    vi.advanceTimersByTime(6_000);
    expect((await answer).headers['grpc-status']).toBe('4');
  });

  it('I-7: a second message in a unary call ends it before it is decompressed', async () => {
    const stream = raw.begin(HEALTH.check.path, { 'grpc-encoding': 'gzip' });
    const answer = answerOf(stream);
    const bomb = framed(gzipSync(Buffer.alloc(50_000_000)), { flag: 1 });
    stream.write(Buffer.concat([framed(Buffer.of()), bomb]));
    const { headers } = await answer;
    expect(headers).toMatchObject({
      'grpc-status': '13',
      'grpc-message': expect.stringContaining('more than one'),
    });
  });

  it("I-7: limits how far a connection's compressed messages may expand, then it has to wait", async () => {
    const bomb = framed(gzipSync(Buffer.alloc(4_000_000)), { flag: 1 });
    const send = async () => (await raw.call(RPC.send.path, bomb, { 'grpc-encoding': 'gzip' })).headers;
    const headers = await Promise.all(Array.from({ length: 20 }, send));
    const refused = headers.filter((one) => one['grpc-status'] === '8');
    expect(refused).toHaveLength(11);
    expect(refused[0]?.['grpc-message']).toContain('compressed');
    now += 1_000;
    expect((await send())['grpc-status']).toBe('0');
  });
});
