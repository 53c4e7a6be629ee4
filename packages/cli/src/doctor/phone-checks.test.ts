import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '@proffer/client';
import { loopbackConfig, startGateway } from '@proffer/gateway';
import { notifyCompanion } from '@proffer/notify';
import { CHANNEL_TYPES } from '@proffer/notify/channels';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openMachineFolder } from '../guard/machine-folder.js';
import { selfSigned } from '../share/certificate.js';
import { devicesIn } from '../share/devices.js';
import { offeredPairing } from '../share/offered-pairing.js';
import { serveDevices } from '../share/serve-devices.js';
import { deviceKeys } from '../share/testing/device-keys.js';
import { checkPhone } from './phone-checks.js';

const HOST = '127.0.0.1';
const NO_GATEWAY = { url: `http://${HOST}:1`, token: 'reviewer' };

/** A computer, and what the doctor says about the way to it: the state and the text, by subject. */
function computer() {
  const path = mkdtempSync(join(tmpdir(), 'proffer-doctor-'));
  onTestFinished(() => rmSync(path, { recursive: true }));
  const folder = openMachineFolder(path);
  return {
    path,
    pair: () => devicesIn(path).add({ agent: 'a phone', key: deviceKeys().key, pairedAt: 0 }),
    notify: (yaml: string) => writeFileSync(join(path, 'notify.yaml'), `notify:\n${yaml}\n`),
    share: async () => {
      const share = await serveDevices({
        folder,
        host: HOST,
        port: 0,
        now: () => Date.now(),
        take: () => false,
        confirm: async () => false,
        onPaired: () => {},
      });
      onTestFinished(() => share.close());
      offeredPairing(path).begin({ host: HOST, port: share.port });
      return share.port;
    },
    says: async (now = Date.now(), gateway = NO_GATEWAY): Promise<Readonly<Record<string, string>>> => {
      const findings = await checkPhone(folder, { program: 'proffer', now, gateway });
      return Object.fromEntries(
        findings.map(({ state, subject, message }) => [subject, `${state}: ${message}`]),
      );
    },
  };
}

describe('doctor --phone', () => {
  it('names the link that is broken: nobody shares, nobody is paired, nothing rings', async () => {
    expect(await computer().says()).toMatchObject({
      sharing: 'bad: No guard or hook is serving phones now.',
      devices: 'bad: No phone is paired.',
      notifications: expect.stringMatching(/^warn: No channel/),
      clock: expect.stringMatching(/^good/),
    });
  });

  it('says which file it cannot open', async () => {
    const { path, says } = computer();
    mkdirSync(join(path, 'shared-at'));
    expect(await says()).toMatchObject({
      sharing: expect.stringMatching(/^bad: .*shared-at cannot be opened/),
    });
  });

  it('asks where notifications lead to, as a phone does, and looks at the certificate and the devices', async () => {
    const { share, pair, says, notify, path } = computer();
    const port = await share();
    const { name } = await pair();
    expect(await says()).toMatchObject({
      sharing: `good: Phones are served at https://${HOST}:${port}.`,
      address: expect.stringMatching(/^warn: .* reaches only this computer/),
      certificate: expect.stringMatching(/^warn: Self-signed/),
      devices: `good: Paired: ${name}. proffer devices lists them.`,
    });
    expect(await says(Date.now() + 390 * 86_400_000)).toMatchObject({
      certificate: expect.stringMatching(/^warn: The certificate expires on/),
    });
    expect(await says(Date.now() + 400 * 86_400_000)).toMatchObject({
      certificate: expect.stringMatching(/^bad: The certificate is valid from/),
    });
    notify(`  url: "https://localhost:${port}"`);
    expect(await says()).toMatchObject({ certificate: 'bad: The certificate is not for localhost.' });
    notify(`  url: "http://${HOST}:${port}"`);
    expect(await says()).toMatchObject({ address: expect.stringMatching(/^bad: .* is not https/) });
    notify(`  url: "https://${HOST}:1"`);
    expect(await says()).toMatchObject({ address: expect.stringMatching(/^bad: .* does not answer: /) });
    notify('  channels: { phone: { type: nothing } }');
    expect(await says()).toMatchObject({ 'notify.yaml': expect.stringMatching(/^bad/) });
    writeFileSync(join(path, 'devices.json'), '[{"name":"phone-000000","agent":"","pairedAt":0}]');
    notify('  channels: { phone: { type: ntfy, server: "http://127.0.0.1:1" } }');
    expect(await says()).toMatchObject({
      devices: expect.stringMatching(/^warn: Paired by an earlier version/),
      'notify phone': 'warn: This channel reaches nobody.',
    });
  });

  it('serves phones with a certificate of yours, if there is one', async () => {
    const { share, says, path } = computer();
    const { cert, key } = selfSigned('192.168.1.20', Date.now());
    writeFileSync(join(path, 'share-cert.pem'), cert);
    writeFileSync(join(path, 'share-key.pem'), key);
    await share();
    expect(await says()).toMatchObject({ certificate: `bad: The certificate is not for ${HOST}.` });
  });

  it('says that a certificate of yours cannot be used, and so does sharing', async () => {
    const { share, says, path } = computer();
    writeFileSync(join(path, 'share-cert.pem'), selfSigned(HOST, Date.now()).cert);
    const missing = `${join(path, 'share-key.pem')} is missing.`;
    expect(await says()).toMatchObject({ certificate: `bad: ${missing}` });
    await expect(share()).rejects.toThrow(missing);
    for (const [key, why] of [
      [selfSigned(HOST, Date.now()).key, 'does not belong to the certificate'],
      ['nothing', 'cannot be read'],
    ] as const) {
      writeFileSync(join(path, 'share-key.pem'), key);
      expect(await says()).toMatchObject({ certificate: expect.stringContaining(why) });
      await expect(share()).rejects.toThrow(why);
    }
  });

  it('says what refuses notifications', async () => {
    const service = createServer((_, response) => response.writeHead(403).end());
    await once(service.listen(0, HOST), 'listening');
    onTestFinished(() => void service.close());
    const { port } = service.address() as AddressInfo;
    const yaml = `dev: true
notify:
  url: https://proffer.example
  channels: { phone: { type: ntfy, server: "http://${HOST}:${port}" } }
  participants: { reviewer: [{ channel: phone, to: topic, digest: 0s }] }
`;
    const started = await startGateway({
      config: loopbackConfig(yaml, { channelTypes: CHANNEL_TYPES }),
      log: pino({ level: 'silent' }),
      companions: [notifyCompanion],
    });
    if (!started.ok) throw new Error(started.refusal.message);
    onTestFinished(() => started.value.close());
    const url = `http://${HOST}:${started.value.address.port}`;
    const agent = await connect({ url, token: 'agent', space: 'main' });
    onTestFinished(() => agent.close());
    agent.propose('tools/call', { name: 'echo', arguments: {} }).catch(() => {});
    const { says } = computer();
    await expect
      .poll(() => says(Date.now(), { url, token: 'reviewer' }), { timeout: 30_000 })
      .toMatchObject({
        delivery: expect.stringMatching(
          /^bad: Notifications to reviewer through phone are failing: .* answered 403\.$/,
        ),
      });
  });
});
