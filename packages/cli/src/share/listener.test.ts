import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { connect as connectTcp, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { connect } from '@proffer/client';
import { startOnLoopback } from '@proffer/gateway';
import { describe, expect, it, onTestFinished } from 'vitest';
import { selfSigned } from './certificate.js';
import { devicesIn } from './devices.js';
import { startShare } from './listener.js';

const HOST = '127.0.0.1';

/** A gateway that is shared with one paired device. */
async function shared() {
  const folder = await mkdtemp(join(tmpdir(), 'proffer-share-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const { gateway, port } = await startOnLoopback('dev: true');
  onTestFinished(() => gateway.close());
  const devices = devicesIn(folder);
  const { device, token } = devices.add('a phone', 0);
  const certified = selfSigned(HOST, Date.now());
  const share = await startShare({
    host: HOST,
    port: 0,
    certified,
    gatewayPort: () => port,
    find: (given) => devices.find(given),
    watch: (onChange) => devices.watch(onChange),
    tokenFor: () => 'reviewer',
    pair: async () => ({ refused: 'Not now.' }),
  });
  onTestFinished(() => share.close());
  const ask = async (path: string, accept = '*/*'): Promise<IncomingMessage> => {
    const headers = { authorization: `Bearer ${token}`, accept };
    const asked = request({ host: HOST, port: share.port, path, ca: certified.cert, headers, agent: false });
    asked.end();
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    return answer;
  };
  const enter = () =>
    connect({ url: `https://${HOST}:${share.port}`, space: 'main', token, ca: certified.cert });
  return { device, devices, share, ask, enter, certified, inside: `http://${HOST}:${port}` };
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
    devices.revoke(device.name);
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
});
