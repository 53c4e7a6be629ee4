import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { type AddressInfo, connect as connectTcp, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { connect as connectTls } from 'node:tls';
import { connect } from '@proffer/client';
import { startOnLoopback } from '@proffer/gateway';
import { describe, expect, it, onTestFinished } from 'vitest';
import { selfSigned } from './certificate.js';
import { deviceSignIn, TOKEN_LIFETIME } from './device-sign-in.js';
import { devicesIn } from './devices.js';
import { startShare } from './listener.js';
import { deviceKeys } from './testing/device-keys.js';

const HOST = '127.0.0.1';

/** A gateway that is shared with one paired device. @param inner - its port, if it is another one */
async function shared({ inner }: { readonly inner?: () => number } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'proffer-share-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const { gateway, port } = await startOnLoopback('dev: true');
  onTestFinished(() => gateway.close());
  const devices = devicesIn(folder);
  let ahead = 0;
  const now = () => Date.now() + ahead;
  const signIn = deviceSignIn('a key of this machine', devices);
  const browser = deviceKeys();
  const device = await devices.add({ agent: 'a phone', key: browser.key, pairedAt: 0 });
  const token = signIn.issue(device, Date.now());
  const certified = selfSigned(HOST, Date.now());
  const share = await startShare({
    host: HOST,
    port: 0,
    certified,
    gatewayPort: inner ?? (() => port),
    signIn,
    devices,
    now,
    tokenFor: () => 'reviewer',
    pair: async () => ({ refused: 'Not now.' }),
  });
  onTestFinished(() => share.close());
  const ask = async (path: string, accept = '*/*', posted?: object): Promise<IncomingMessage> => {
    const headers = { authorization: `Bearer ${token}`, accept };
    const place = { host: HOST, port: share.port, path, ca: certified.cert, agent: false };
    const asked = request({ ...place, headers, method: posted === undefined ? 'GET' : 'POST' });
    asked.end(posted === undefined ? undefined : JSON.stringify(posted));
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    return answer;
  };
  const enter = () =>
    connect({ url: `https://${HOST}:${share.port}`, space: 'main', token, ca: certified.cert });
  const post = async (path: string, posted: object) => {
    const answer = await ask(path, '*/*', posted);
    return { status: answer.statusCode, body: JSON.parse(await text(answer)) as Record<string, string> };
  };
  const passes = (span: number): void => {
    ahead += span;
  };
  return {
    device,
    devices,
    passes,
    browser,
    post,
    share,
    ask,
    enter,
    certified,
    inside: `http://${HOST}:${port}`,
  };
}

/** When a response ends, in whatever way. */
const ended = (answer: IncomingMessage): Promise<void> =>
  new Promise((resolve) => {
    answer
      .on('error', () => {})
      .once('close', resolve)
      .resume();
  });

describe('a shared inbox', () => {
  it('I-4: ends the streams and WebSockets of a token that expires, and what is said there no longer counts', async () => {
    const { passes, ask, enter, inside } = await shared();
    const proposed = await fetch(`${inside}/spaces/main/proposals`, {
      method: 'POST',
      headers: { authorization: 'Bearer agent' },
      body: JSON.stringify({ tool: 'echo', arguments: {} }),
    });
    const { id } = (await proposed.json()) as { id: string };
    const feed = await ask('/spaces/main/feed?after=0', 'text/event-stream');
    const participant = await enter();
    const all = [ended(feed), participant.closed];
    passes(TOKEN_LIFETIME);
    await expect(participant.reject(id, 'unsafe')).rejects.toMatchObject({ name: expect.any(String) });
    await Promise.all(all);
    const shown = await fetch(`${inside}/spaces/main/proposals/${id}`, {
      headers: { authorization: 'Bearer agent' },
    });
    expect(await shown.json()).toMatchObject({ proposal: { rejections: {} } });
  });

  it('I-4: ends everything of a device that is revoked: streams, waiting requests, WebSockets', async () => {
    const { device, devices, ask, enter, inside } = await shared();
    const proposed = await fetch(`${inside}/spaces/main/proposals`, {
      method: 'POST',
      headers: { authorization: 'Bearer agent' },
      body: JSON.stringify({ tool: 'echo', arguments: {} }),
    });
    const { id } = (await proposed.json()) as { id: string };
    const feed = await ask('/spaces/main/feed?after=0', 'text/event-stream');
    const following = await ask(`/spaces/main/proposals/${id}`, 'text/event-stream');
    const waiting = ask(`/spaces/main/proposals/${id}?wait=60s`);
    const participant = await enter();
    const all = [ended(feed), ended(following), waiting.catch(() => 'cut'), participant.closed];
    await devices.revoke(device.name);
    // What a revoked device says does not count, however fast it is.
    await expect(participant.reject(id, 'unsafe')).rejects.toMatchObject({ name: expect.any(String) });
    await Promise.all(all);
    expect((await ask('/whoami')).statusCode).toBe(401);
    const shown = await fetch(`${inside}/spaces/main/proposals/${id}`, {
      headers: { authorization: 'Bearer agent' },
    });
    expect(await shown.json()).toMatchObject({ proposal: { rejections: {} } });
  });

  it('I-7: idle connections, before or after the TLS handshake, lock nobody out', async () => {
    const { share, ask, enter, certified } = await shared();
    const participant = await enter();
    onTestFinished(() => participant.close());
    const idle: Socket[] = [];
    onTestFinished(() => idle.forEach((socket) => socket.destroy()));
    for (let index = 0; index < 150; index++) {
      const place = { host: HOST, port: share.port };
      const socket = index % 2 === 0 ? connectTcp(place) : connectTls({ ...place, ca: certified.cert });
      idle.push(socket.on('error', () => {}));
      await once(socket, index % 2 === 0 ? 'connect' : 'secureConnect').catch(() => {});
    }
    expect((await ask('/whoami')).statusCode).toBe(200);
    expect((await ask('/console/')).statusCode).not.toBe(401);
    // The others were cut, and the device that was there before was not.
    await expect.poll(() => idle.filter(({ destroyed }) => !destroyed).length).toBeLessThanOrEqual(16);
    await expect(participant.reject('nothing', 'unsafe')).rejects.toMatchObject({ code: 'unknown_proposal' });
  });

  it('signs a browser in by its key, without asking anyone, until the device unpairs itself', async () => {
    const { browser, device, post, ask } = await shared();
    const { challenge = '' } = (await post('/hooks/device', {})).body;
    const signed = browser.answer(device.name, challenge);
    expect(await post('/hooks/device', signed)).toMatchObject({
      status: 200,
      body: { device: device.name, token: expect.stringContaining(device.name), expiresIn: 600 },
    });
    // An answer works once. Whoever sends it again, or after a restart, gets another challenge.
    const again = await post('/hooks/device', signed);
    expect(again).toEqual({ status: 200, body: { challenge: expect.any(String) } });
    const stranger = deviceKeys().answer(device.name, again.body.challenge ?? '');
    expect(await post('/hooks/device', stranger)).toMatchObject({
      status: 401,
      body: { code: 'unauthenticated' },
    });
    // A browser that is not paired is told how to pair it. A token would not let it in.
    expect(JSON.parse(await text(await ask('/sign-in')))).toEqual({ methods: [{ type: 'pairing' }] });
    expect((await post('/hooks/device', { forget: true })).status).toBe(200);
    expect((await ask('/whoami')).statusCode).toBe(401);
  });

  it('passes on what links and buttons of notifications post, and nothing else that is posted', async () => {
    const posted: string[] = [];
    const inside = createServer(async (asked, answer) => {
      const { authorization = '', cookie = '' } = asked.headers;
      posted.push([asked.method, asked.url, authorization, cookie, await text(asked)].join(' '));
      answer.end('{}');
    });
    inside.listen(0, HOST);
    await once(inside, 'listening');
    onTestFinished(() => void inside.close());
    const { post } = await shared({ inner: () => (inside.address() as AddressInfo).port });
    expect((await post('/hooks/decision-link', { key: 'k' })).status).toBe(200);
    expect((await post('/hooks/push', { remove: 'x' })).status).toBe(200);
    expect(posted).toEqual([
      'POST /hooks/decision-link Bearer reviewer  {"key":"k"}',
      'POST /hooks/push Bearer reviewer  {"remove":"x"}',
    ]);
    for (const path of ['/hooks/devices', '/hooks/undelivered', '/spaces/main/messages', '/hooks/slack-x'])
      expect([path, (await post(path, {})).status]).toEqual([path, 404]);
    expect(posted).toHaveLength(2);
  });

  it('shows a person a page that tries again while the gateway is away, and a program a problem', async () => {
    const { ask } = await shared({ inner: () => 1 });
    const page = await ask('/console/main/inbox/p-1', 'text/html,application/xhtml+xml');
    expect([page.statusCode, page.headers['content-type']]).toEqual([503, 'text/html; charset=utf-8']);
    expect(page.headers['content-security-policy']).not.toContain('unsafe');
    expect(await text(page)).toContain('location.reload()');
    const problem = await ask('/whoami');
    expect(problem.statusCode).toBe(503);
    expect(JSON.parse(await text(problem))).toMatchObject({ code: 'unavailable' });
  });
});
