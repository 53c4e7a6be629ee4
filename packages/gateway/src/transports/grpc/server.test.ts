import { once } from 'node:events';
import { gzipSync } from 'node:zlib';
import { RUNTIME_SERVICE as RPC } from '@proffer/wire';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBreakableDisk } from '../../testing/breakable-disk.js';
import { makeCertificate, writeCertificate } from '../../testing/certificates.js';
import { openJournal, temporaryFolder } from '../../testing/folder.js';
import { createGate } from '../../testing/journals.js';
import { readMetric, until } from '../../testing/metrics.js';
import { startTestGateway } from '../../testing/test-gateway.js';
import { type GrpcPeer, RUNTIME, startPeer } from './testing/grpc-peer.js';
import { answerOf, connectRaw, framed } from './testing/raw-call.js';
import { serveFor } from './testing/served.js';
import { openTable } from './testing/table.js';

let peer: GrpcPeer;
beforeAll(async () => {
  peer = await startPeer();
});
afterAll(() => peer[Symbol.asyncDispose]());

const HEALTH = 'grpc.health.v1.Health';

describe('gRPC protocol', () => {
  it('health: serving, for the server and each service; unknown for others', async () => {
    const gateway = await serveFor(peer);
    for (const service of ['', RUNTIME, HEALTH]) {
      expect(await peer.ask(`${HEALTH}/Check`, { service })).toEqual({ status: 'SERVING' });
    }
    expect(await peer.refused(`${HEALTH}/Check`, { service: 'x' })).toMatchObject({ code: 5 });
    const watch = peer.open(`${HEALTH}/Watch`);
    watch.write({ service: RUNTIME });
    watch.end();
    expect(await watch.next()).toEqual({ status: 'SERVING' });
    await gateway.gateway.close();
    expect(await watch.next()).toEqual({ status: 'NOT_SERVING' });
    expect(await watch.status).toMatchObject({ code: 14 });
  });

  it.each(['v1', 'v1alpha'])('reflection %s: lists the services and returns their files', async (version) => {
    await serveFor(peer);
    const stream = peer.open(`grpc.reflection.${version}.ServerReflection/ServerReflectionInfo`);
    stream.write({ list_services: '' });
    expect(await stream.next()).toMatchObject({
      list_services_response: { service: expect.arrayContaining([{ name: RUNTIME }, { name: HEALTH }]) },
    });
    stream.write({ file_containing_symbol: `${RUNTIME}.Send` });
    const found = (await stream.next()) as {
      file_descriptor_response: { file_descriptor_proto: Uint8Array[] };
    };
    const files = found.file_descriptor_response.file_descriptor_proto.map((bytes) =>
      Buffer.from(bytes).toString('latin1'),
    );
    expect(files[0]).toContain('macp/v1/runtime.proto');
    expect(files.slice(1).join()).toContain('macp/v1/envelope.proto');
    stream.write({ file_by_filename: 'macp/modes/proposal/v1/proposal.proto' });
    expect(await stream.next()).toMatchObject({
      file_descriptor_response: { file_descriptor_proto: [{}] },
    });
    stream.write({ file_containing_symbol: 'no.such.Thing' });
    expect(await stream.next()).toMatchObject({ error_response: { error_code: 5 } });
    stream.end();
    expect(await stream.status).toMatchObject({ code: 0 });
  });

  it('works over TLS with the configured certificate, and not without', async () => {
    await using folder = await temporaryFolder();
    const made = makeCertificate();
    const tls = await writeCertificate(folder.path, made);
    const gateway = await serveFor(peer, `dev: true\n${tls}`);
    const target = `localhost:${gateway.grpcPort}`;
    const ca = Buffer.from(made.cert);
    expect(await peer.ask(`${HEALTH}/Check`, {}, { target, ca })).toEqual({ status: 'SERVING' });
    expect(await peer.refused(`${HEALTH}/Check`, {}, { timeout: 2_000 })).toMatchObject({
      code: expect.any(Number),
    });
  });

  it('UNIMPLEMENTED for unknown methods, and plain HTTP errors for non-gRPC requests', async () => {
    const gateway = await serveFor(peer);
    using raw = await connectRaw(gateway.grpcPort);
    const unknown = await raw.call('/macp.v1.MACPRuntimeService/Nothing', framed(Buffer.of()));
    expect(unknown.headers).toMatchObject({
      ':status': 200,
      'grpc-status': '12',
      'content-type': 'application/grpc',
    });
    const put = await raw.call(RPC.send.path, Buffer.of(), { ':method': 'PUT' });
    expect(put.headers[':status']).toBe(405);
    const json = await raw.call(RPC.send.path, Buffer.of(), { 'content-type': 'application/json' });
    expect(json.headers[':status']).toBe(415);
    const both = await raw.call(RPC.send.path, framed(Buffer.of()), {
      'content-type': 'application/grpc+proto',
    });
    expect(both.headers['grpc-status']).toBe('0');
  });

  it('accepts gzip and deflate, refuses other encodings, and small messages that expand too far', async () => {
    const gateway = await serveFor(peer);
    const table = openTable(peer);
    await table.start();
    for (const algorithm of [1, 2]) {
      const channel = { 'grpc.default_compression_algorithm': algorithm };
      const ack = await table.say(
        'buyer',
        'Proposal',
        { proposal_id: `p${algorithm}`, summary: 'x'.repeat(9_999) },
        { channel },
      );
      expect(ack).toMatchObject({ ok: true });
    }
    using raw = await connectRaw(gateway.grpcPort);
    const bomb = framed(gzipSync(Buffer.alloc(50_000_000)), { flag: 1 });
    const cases: readonly (readonly [Buffer, string, string])[] = [
      [bomb, 'gzip', '8'],
      [framed(Buffer.of(1, 2, 3), { flag: 1 }), 'gzip', '13'],
      [framed(Buffer.of(), { flag: 1 }), 'identity', '13'],
      [framed(Buffer.of(), { flag: 7 }), 'gzip', '13'],
      [framed(Buffer.of()), 'br', '12'],
    ];
    for (const [body, encoding, status] of cases) {
      const { headers } = await raw.call(RPC.send.path, body, { 'grpc-encoding': encoding });
      expect(headers['grpc-status']).toBe(status);
    }
  });

  it('a deadline ends a call, and an invalid one is refused', async () => {
    const gateway = await serveFor(peer);
    const started = peer.open('WatchSignals', { token: 'buyer', timeout: 200 });
    started.write({});
    expect(await started.status).toMatchObject({ code: 4 });
    using raw = await connectRaw(gateway.grpcPort);
    const now = await raw.call(RPC.watchSignals.path, framed(Buffer.of()), { 'grpc-timeout': '1n' });
    expect(now.headers).toMatchObject({
      'grpc-status': '4',
      'grpc-message': 'The deadline of the call has passed.',
    });
    for (const wrong of ['', '1', '123456789S', '-1S', '1s']) {
      const { headers } = await raw.call(RPC.watchSignals.path, framed(Buffer.of()), {
        'grpc-timeout': wrong,
      });
      expect(headers['grpc-status']).toBe('13');
    }
    const { headers } = await raw.call(RPC.listModes.path, framed(Buffer.of()), {
      'grpc-timeout': '99999999H',
    });
    expect(headers['grpc-status']).toBe('0');
  });

  it('answers pings, and clients with frequent keepalives stay connected', async () => {
    const gateway = await serveFor(peer);
    using raw = await connectRaw(gateway.grpcPort);
    for (let count = 0; count < 20; count++) {
      await new Promise<void>((resolve, reject) => {
        raw.session.ping((error) => (error === null ? resolve() : reject(error)));
      });
    }
    const { headers } = await raw.call(RPC.listModes.path, framed(Buffer.of()));
    expect(headers['grpc-status']).toBe('0');
  });

  it('I-7: a cancelled call leaves nothing behind', async () => {
    const gateway = await serveFor(peer);
    using raw = await connectRaw(gateway.grpcPort);
    for (let count = 0; count < 100; count++) {
      const stream = raw.begin(count % 2 === 0 ? RPC.watchSessions.path : RPC.streamSession.path);
      stream.write(framed(Buffer.of()));
      stream.close(8);
      await once(stream, 'close');
    }
    const kept = raw.begin(RPC.watchSessions.path);
    kept.end(framed(Buffer.of()));
    // With 32 connections per token, 100 leftovers would leave no room.
    const [headers] = (await once(kept, 'response')) as [Record<string, unknown>];
    expect(headers).toMatchObject({ ':status': 200 });
    expect(headers['grpc-status']).toBeUndefined();
    expect(await readMetric(gateway.http, 'proffer_connections', '{transport="grpc"}')).toBe(1);
  });
});

describe('closing', () => {
  it('I-1: answers what is in flight, ends streams with UNAVAILABLE, and accepts nothing more', async () => {
    await using folder = await temporaryFolder();
    const disk = createBreakableDisk();
    const journal = await openJournal(folder.path, { disk });
    const gateway = await serveFor(peer, 'dev: true', { journal });
    const table = openTable(peer);
    await table.start();
    const following = peer.open('StreamSession', { token: 'buyer' });
    following.write({ subscribe_session_id: table.id });
    await following.next();
    const watching = peer.open('WatchSessions', { token: 'buyer' });
    watching.write({});
    watching.end();
    await watching.next();
    const gate = createGate();
    disk.gate = gate.opened;
    const writes = disk.writes;
    const sent = table.propose('buyer', 'p1');
    await until(() => disk.writes > writes);
    const closed = gateway.gateway.close();
    expect(await peer.refused('ListModes', {}, { token: 'buyer' })).toMatchObject({ code: 14 });
    gate.open();
    expect(await sent).toMatchObject({ ok: true });
    expect(await following.status).toMatchObject({ code: 14 });
    expect(await watching.status).toMatchObject({ code: 14 });
    await closed;
    await expect(connectRaw(gateway.grpcPort)).rejects.toThrow('ECONNREFUSED');
  });

  it('refuses an address in use, and names it', async () => {
    await using first = await startTestGateway();
    const { startGateway } = await import('../../gateway.js');
    const { loopbackConfig } = await import('../../loopback.js');
    const { pino } = await import('pino');
    const config = loopbackConfig('dev: true');
    const listen = { ...config.listen, grpc: { host: '127.0.0.1', port: first.grpcPort } };
    const second = await startGateway({ config: { ...config, listen }, log: pino({ level: 'silent' }) });
    expect(second).toMatchObject({
      ok: false,
      refusal: { code: 'cannot_listen', details: { field: 'listen.grpc', port: first.grpcPort } },
    });
  });

  it('I-6: a stream that is not read does not keep the gateway from closing', async () => {
    const gateway = await serveFor(peer);
    using raw = await connectRaw(gateway.grpcPort);
    const stream = raw.begin(RPC.streamSession.path);
    const over = answerOf(stream);
    stream.pause();
    await once(stream, 'response');
    await gateway.gateway.close();
    stream.resume();
    await over;
  });
});
