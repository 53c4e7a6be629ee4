import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../testing/folder.js';
import { startChild } from '../../testing/kill/child.js';
import { chat } from '../../testing/messages.js';
import { readMetric } from '../../testing/metrics.js';
import { ask, post } from '../../testing/peers/http.js';
import { connectPeer } from '../../testing/peers/peer.js';
import { connectRaw, type Raw } from '../../testing/peers/raw.js';
import { startTestGateway } from '../../testing/test-gateway.js';

const request = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${more}\r\n`;

describe('connections of strangers', () => {
  it('I-7: a client with many connections keeps nobody out: those silent for longest are cut', async () => {
    await using gateway = await startTestGateway();
    const health = request('/healthz');
    const known = await connectRaw(gateway.port, request('/whoami', 'Authorization: Bearer agent\r\n'));
    await known.until('"participant"');
    const silent: Raw[] = [];
    // One address may have 600.
    for (let index = 0; index < 610; index++) silent.push(await connectRaw(gateway.port));
    await Promise.all(silent.slice(0, 9).map(({ ended }) => ended));
    const last = silent.at(-1);
    last?.socket.write(health);
    await last?.until('"ok"');
    known.socket.write(health);
    await known.until('"ok"');
    await using peer = await connectPeer(gateway.ws, 'agent');
    await peer.say(chat('c1'));
    for (const raw of [known, ...silent]) raw.socket.destroy();
  });

  it.each([
    '/spaces/main/messages',
    '/spaces/main/proposals',
    '/participants/agent/messages',
    '/macp/envelope',
    '/macp/session/x/cancel',
    '/nowhere',
  ])('I-7: reads little of a large body for %s before the sender is known', async (path) => {
    await using gateway = await startTestGateway();
    const size = 67_108_864;
    using stranger = await connectRaw(
      gateway.port,
      `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: ${size}\r\n\r\n`,
    );
    stranger.socket.on('error', () => {});
    const piece = Buffer.alloc(65_536, 'x');
    let sent = 0;
    while (!stranger.socket.destroyed && sent < size) {
      sent += piece.length;
      if (!stranger.socket.write(piece)) await Promise.race([once(stranger.socket, 'drain'), stranger.ended]);
      if (stranger.socket.readableEnded) break;
    }
    expect(await stranger.ended).toMatch(/^HTTP\/1\.1 40[134] /);
    expect(sent).toBeLessThan(size);
    // The same from a known sender is read, and refused for its content.
    const answer = await ask(gateway.http + path, 'agent', { method: 'POST', body: 'x'.repeat(100_000) });
    expect([400, 404]).toContain(answer.status);
    expect(answer.code).toMatch(/^(?:invalid_json|unknown_route|INVALID_ENVELOPE)$/);
  });

  it('I-7: a client that never authenticates may send a limited number of bytes', async () => {
    await using gateway = await startTestGateway();
    const one = request('/whoami', `Authorization: Bearer \r\nX-Fill: ${'x'.repeat(8_000)}\r\n`);
    using stranger = await connectRaw(gateway.port, one.repeat(10));
    const answers = (await stranger.ended).match(/HTTP\/1\.1 401 /g) ?? [];
    expect(answers.length).toBeGreaterThan(7);
    expect(answers.length).toBeLessThan(11);
  });

  it('I-7: a mew client that posts with a credential has no such limit', async () => {
    await using gateway = await startTestGateway();
    const body = JSON.stringify({ kind: 'chat', payload: { text: 'x'.repeat(8_000) } });
    const head = `Host: 127.0.0.1\r\nAuthorization: Bearer agent\r\nContent-Length: ${body.length}`;
    const one = `POST /participants/agent/messages HTTP/1.1\r\n${head}\r\n\r\n${body}`;
    using client = await connectRaw(gateway.port, one.repeat(20) + request('/healthz'));
    await client.until('"ok"');
  });
});

describe('process with few file descriptors', () => {
  it('I-1, I-7: refuses connections over the limit, reports it, keeps recording, and lets others in at once', async () => {
    await using folder = await temporaryFolder();
    await using child = await startChild({ folder: folder.path, openFiles: 120 });
    let said = '';
    child.process.stderr?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    const known: Raw[] = [];
    // Authenticated ones are not evicted for each other: these fill the listener.
    for (let index = 0; index < 60; index++) {
      const raw = await connectRaw(child.port, request('/whoami', 'Authorization: Bearer agent\r\n'));
      raw.socket.on('error', () => {});
      known.push(raw);
    }
    await expect.poll(() => said).toContain('limit on open files');
    for (const raw of known) raw.socket.destroy();
    await expect
      .poll(() => post(child.http, 'agent', chat('c1')).catch(() => undefined))
      .toMatchObject({ status: 200 });
    expect(
      await readMetric(child.http, 'proffer_connections_dropped_total', '{transport="http"}'),
    ).toBeGreaterThan(0);

    // Strangers are: however many there are, an authenticated client gets in, and is recorded.
    const strangers: Raw[] = [];
    for (let index = 0; index < 200; index++) {
      const raw = await connectRaw(child.port).catch(() => undefined);
      raw?.socket.on('error', () => {});
      if (raw !== undefined) strangers.push(raw);
    }
    expect(await post(child.http, 'agent', chat('c2'))).toMatchObject({ status: 200 });
    for (const raw of strangers) raw.socket.destroy();
  });
});
