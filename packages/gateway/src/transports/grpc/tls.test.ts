import { once } from 'node:events';
import { connect as connectHttp2, createSecureServer } from 'node:http2';
import { type AddressInfo, connect as connectTcp, type Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { makeCertificate, writeCertificate } from '../../testing/certificates.js';
import { temporaryFolder } from '../../testing/folder.js';
import { readMetric, until } from '../../testing/metrics.js';
import { startTestGateway, type TestGateway } from '../../testing/test-gateway.js';
import { limitHandshakes } from './server.js';
import { type GrpcPeer, startPeer } from './testing/grpc-peer.js';
import { connectRaw, framed } from './testing/raw-call.js';

let peer: GrpcPeer;
beforeAll(async () => {
  peer = await startPeer();
});
afterAll(() => peer[Symbol.asyncDispose]());

const CHECK = 'grpc.health.v1.Health/Check';
const PREFACE = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';

async function secured() {
  const folder = await temporaryFolder();
  const { cert, key } = makeCertificate();
  const tls = await writeCertificate(folder.path, { cert, key });
  const gateway = await startTestGateway(`dev: true\n${tls}`);
  onTestFinished(async () => {
    await gateway.gateway.close();
    await folder[Symbol.asyncDispose]();
  });
  const way = { target: `localhost:${gateway.grpcPort}`, ca: Buffer.from(cert) };
  return { gateway, port: gateway.grpcPort, cert, check: () => peer.ask(CHECK, {}, way) };
}

/** Performs a handshake: the negotiated TLS version, or the error code. */
async function shakeHands(port: number, options: ConnectionOptions): Promise<string> {
  const socket = connectTls({ port, host: '127.0.0.1', ALPNProtocols: ['h2'], ...options });
  try {
    await once(socket, 'secureConnect');
    return socket.getProtocol() ?? '';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error);
  } finally {
    socket.destroy();
  }
}

/** Sends something over TCP and nothing more; returns the answer until the other side closes. */
async function sayAndWait(port: number, what: string | Buffer): Promise<Buffer> {
  const socket = connectTcp({ port, host: '127.0.0.1' });
  const answer: Buffer[] = [];
  socket.on('data', (piece: Buffer) => answer.push(piece));
  socket.on('error', () => {});
  if (what.length > 0) socket.write(what);
  await once(socket, 'close');
  return Buffer.concat(answer);
}

async function nobodyIsLeft({ http }: TestGateway): Promise<void> {
  await until(async () => (await readMetric(http, 'proffer_connections', '{transport="grpc"}')) === 0);
}

describe('TLS over gRPC', () => {
  it('accepts 1.2 and 1.3, nothing older, and only HTTP/2', async () => {
    const { port, cert: ca, check } = await secured();
    const weak = { ca, ciphers: 'DEFAULT@SECLEVEL=0' } as const;
    expect(await shakeHands(port, { ca })).toBe('TLSv1.3');
    expect(await shakeHands(port, { ca, maxVersion: 'TLSv1.2' })).toBe('TLSv1.2');
    for (const version of ['TLSv1', 'TLSv1.1'] as const) {
      const refused = await shakeHands(port, { ...weak, minVersion: version, maxVersion: version });
      expect(refused).toBe('ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION');
    }
    const other = await shakeHands(port, { ca, ALPNProtocols: ['http/1.1'] });
    expect(other).toBe('ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL');
    expect(await check()).toEqual({ status: 'SERVING' });
  });

  it('a client without ALPN is told the supported protocol, and cut', async () => {
    const { port, cert: ca, check } = await secured();
    const socket = connectTls({ port, host: '127.0.0.1', ca });
    let answer = '';
    socket.on('data', (piece: Buffer) => {
      answer += piece.toString();
    });
    socket.on('error', () => {});
    socket.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n');
    await once(socket, 'close');
    expect(answer).toMatch(/^HTTP\/1\.0 403 .*This port serves gRPC/s);
    expect(await check()).toEqual({ status: 'SERVING' });
  });

  it('a plaintext client on a TLS port is closed without an answer', async () => {
    const { port, check } = await secured();
    for (const what of [PREFACE, 'GET / HTTP/1.1\r\n\r\n', Buffer.alloc(1_000, 0xff)]) {
      const answer = await sayAndWait(port, what);
      // At most a TLS alert.
      expect(answer.length === 0 || answer[0] === 0x15).toBe(true);
    }
    const session = connectHttp2(`http://127.0.0.1:${port}`);
    session.on('error', () => {});
    await new Promise((resolve) => session.once('close', resolve));
    expect(await peer.refused(CHECK, {}, { target: `127.0.0.1:${port}`, timeout: 2_000 })).toMatchObject({
      code: expect.toSatisfy((code) => code === 14 || code === 4),
    });
    expect(await check()).toEqual({ status: 'SERVING' });
  });

  it('a TLS client on a plaintext port is closed without an answer', async () => {
    await using gateway = await startTestGateway();
    expect(await shakeHands(gateway.grpcPort, { rejectUnauthorized: false })).not.toMatch(/^TLS/);
    await nobodyIsLeft(gateway);
    using raw = await connectRaw(gateway.grpcPort);
    const { headers } = await raw.call(`/${CHECK}`, framed(Buffer.alloc(0)));
    expect(headers['grpc-status']).toBe('0');
  });

  it('a wrong certificate name is refused by the client, and the gateway continues', async () => {
    const { port, cert: ca, check } = await secured();
    expect(await shakeHands(port, { ca, servername: 'other.example' })).toBe('ERR_TLS_CERT_ALTNAME_INVALID');
    expect(await shakeHands(port, {})).toBe('DEPTH_ZERO_SELF_SIGNED_CERT');
    expect(await check()).toEqual({ status: 'SERVING' });
  });

  it('I-7: a client that never finishes the handshake is cut, and blocks nobody', async () => {
    const { port, check } = await secured();
    const begun = Buffer.of(0x16, 0x03, 0x01, 0x02, 0x00, 0x01);
    const waiting = [sayAndWait(port, ''), sayAndWait(port, begun)];
    expect(await check()).toEqual({ status: 'SERVING' });
    await Promise.all(waiting);
    expect(await check()).toEqual({ status: 'SERVING' });
  });

  it('I-7: limits concurrent handshakes; the longest one is cut first', async () => {
    const server = createSecureServer(makeCertificate());
    onTestFinished(() => void server.close());
    limitHandshakes(server, 2);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const silent = [];
    for (let count = 0; count < 2; count++) {
      const socket = connectTcp({ port, host: '127.0.0.1' });
      socket.on('error', () => {});
      silent.push(socket);
      await once(socket, 'connect');
    }
    const cut = once(silent[0] as Socket, 'close');
    // A completed handshake no longer counts, and frees its slot.
    for (let count = 0; count < 2; count++) {
      const session = connectHttp2(`https://127.0.0.1:${port}`, { rejectUnauthorized: false });
      onTestFinished(() => session.destroy());
      await once(session, 'remoteSettings');
    }
    await cut;
    expect(silent[1]?.destroyed).toBe(false);
    silent[1]?.destroy();
  });
});
