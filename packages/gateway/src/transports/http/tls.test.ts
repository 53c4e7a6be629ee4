import { once } from 'node:events';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { join } from 'node:path';
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls';
import { createMemoryJournal } from '@proffer/journal';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { startGateway } from '../../gateway.js';
import { loopbackConfig } from '../../loopback.js';
import { makeCertificate, writeCertificate } from '../../testing/certificates.js';
import { temporaryFolder } from '../../testing/folder.js';
import { chat } from '../../testing/messages.js';
import { connectPeer } from '../../testing/peers/peer.js';
import { connectRaw } from '../../testing/peers/raw.js';
import { startTestGateway } from '../../testing/test-gateway.js';

async function securedGateway() {
  const folder = await temporaryFolder();
  const made = makeCertificate();
  const tls = await writeCertificate(folder.path, made);
  const gateway = await startTestGateway(`dev: true\n${tls}`);
  return {
    ...gateway,
    ca: made.cert,
    folder: folder.path,
    tls,
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** Performs a handshake; the negotiated TLS version, or the error code. */
async function shakeHands(port: number, options: ConnectionOptions): Promise<string> {
  const socket: TLSSocket = connect({ port, host: '127.0.0.1', ...options });
  try {
    await once(socket, 'secureConnect');
    return socket.getProtocol() ?? '';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error);
  } finally {
    socket.destroy();
  }
}

async function isHealthy(port: number, ca: string): Promise<boolean> {
  const asked = request({ host: '127.0.0.1', port, path: '/healthz', ca, agent: false }).end();
  const [{ statusCode }] = (await once(asked, 'response')) as [{ statusCode: number }];
  return statusCode === 200;
}

describe('TLS', () => {
  it('serves HTTP and WebSocket with 1.2 and 1.3', async () => {
    await using gateway = await securedGateway();
    const { port, ca } = gateway;
    expect(await shakeHands(port, { ca })).toBe('TLSv1.3');
    expect(await shakeHands(port, { ca, maxVersion: 'TLSv1.2' })).toBe('TLSv1.2');
    expect(await isHealthy(port, ca)).toBe(true);
    await using agent = await connectPeer(`wss://127.0.0.1:${port}/ws`, 'agent', {}, { ca });
    await agent.say(chat('c1'));
  });

  it.each(['TLSv1', 'TLSv1.1'] as const)('refuses %s', async (version) => {
    await using gateway = await securedGateway();
    const old = { minVersion: version, maxVersion: version, ciphers: 'DEFAULT@SECLEVEL=0' } as const;
    expect(await shakeHands(gateway.port, { ca: gateway.ca, ...old })).toMatch(/ALERT_PROTOCOL_VERSION/);
    expect(await isHealthy(gateway.port, gateway.ca)).toBe(true);
  });

  it.each([
    ['plain HTTP', 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['noise', '\u0000'.repeat(1_000)],
    ['a record that is far too long', '\u0016\u0003\u0001\u00ff\u00ff'.padEnd(70_000, 'x')],
  ])('I-7: a client that speaks %s is cut off without an answer, and nobody else is', async (_, text) => {
    await using gateway = await securedGateway();
    using peer = await connectRaw(gateway.port, text);
    expect(await peer.ended).not.toContain('HTTP/1.1');
    expect(await isHealthy(gateway.port, gateway.ca)).toBe(true);
  });

  it('I-7: a client that is silent, or never ends the handshake, is cut off in time', async () => {
    await using gateway = await securedGateway();
    using silent = await connectRaw(gateway.port);
    using slow = await connectRaw(gateway.port, '\u0016\u0003\u0001\u0002\u0000\u0001\u0000');
    expect(await isHealthy(gateway.port, gateway.ca)).toBe(true);
    expect(await Promise.all([silent.ended, slow.ended])).toHaveLength(2);
  });

  it('a reload applies a renewed certificate, and not a wrong one', async () => {
    await using gateway = await securedGateway();
    const { port, ca, folder, tls } = gateway;
    const renewed = makeCertificate();
    await writeCertificate(folder, renewed);
    gateway.gateway.reload(loopbackConfig(`dev: true\n${tls}`));
    expect(await shakeHands(port, { ca })).not.toMatch(/^TLS/);
    expect(await shakeHands(port, { ca: renewed.cert })).toBe('TLSv1.3');
    await writeFile(join(folder, 'gateway.key'), 'nothing');
    gateway.gateway.reload(loopbackConfig(`dev: true\n${tls}`));
    expect(await shakeHands(port, { ca: renewed.cert })).toBe('TLSv1.3');
  });
});

describe('invalid certificate', () => {
  const log = pino({ level: 'silent' });
  const past = { from: Date.UTC(2020, 0), to: Date.UTC(2021, 0) };
  const future = { from: Date.now() + 86_400_000 };
  const spoil = (name: string, text: string) => (folder: string) => writeFile(join(folder, name), text);

  it.each([
    ['expired', makeCertificate(past), undefined, 'tls.cert', /gateway\.crt .*expired on Jan +1 .*2021/],
    ['not valid yet', makeCertificate(future), undefined, 'tls.cert', /gateway\.crt .*not valid before/],
    [
      'of another key',
      { cert: makeCertificate().cert, key: makeCertificate().key },
      undefined,
      'tls.key',
      /gateway\.key is not the key of the certificate in .*gateway\.crt/,
    ],
    [
      'not PEM',
      makeCertificate(),
      spoil('gateway.crt', 'x'),
      'tls.cert',
      /gateway\.crt contains no certificate/,
    ],
    [
      'without a key',
      makeCertificate(),
      spoil('gateway.key', 'x'),
      'tls.key',
      /gateway\.key contains no unencrypted private/,
    ],
    [
      'a key in place of the certificate',
      makeCertificate(),
      async (folder: string) =>
        writeFile(join(folder, 'gateway.crt'), await readFile(join(folder, 'gateway.key'))),
      'tls.cert',
      /gateway\.crt contains no certificate/,
    ],
    [
      'gone',
      makeCertificate(),
      (folder: string) => rm(join(folder, 'gateway.crt')),
      'tls.cert',
      /gateway\.crt cannot be read/,
    ],
  ])('one that is %s: startup is refused, and the file is named', async (_, made, change, field, said) => {
    await using folder = await temporaryFolder();
    const tls = await writeCertificate(folder.path, made);
    await change?.(folder.path);
    const config = loopbackConfig(`dev: true\n${tls}`);
    const started = await startGateway({ config, log, journal: createMemoryJournal() });
    expect(started).toMatchObject({ ok: false, refusal: { code: 'invalid_tls', details: { field } } });
    expect(started.ok ? '' : started.refusal.message).toMatch(said);
  });
});
