import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePorts, natsSettings, startNatsServers } from '@proffer/journal/testing';
import { expect, it } from 'vitest';
import { type Running, start, temporaryFolder } from '../testing/cli.js';
import { startUpgradeLoad } from '../testing/upgrade-load.js';

const IS_LONG = process.env['PROFFER_LONG'] !== undefined;

/** How often each gateway is restarted. */
const ROUNDS = IS_LONG ? 10 : 1;

it('I-1, I-2, I-6: clients see only a reconnect while gateways are restarted one after another under load', {
  timeout: IS_LONG ? 600_000 : 120_000,
}, async () => {
  await using servers = await startNatsServers({ count: 3 });
  await using folder = await temporaryFolder();
  const ports = await freePorts(6);
  const configure = async (index: number): Promise<string> => {
    const file = join(folder.path, `${index}.yaml`);
    const listen = `{ http: "127.0.0.1:${ports[index]}", grpc: "127.0.0.1:${ports[index + 3]}" }`;
    const nats = natsSettings(servers.urls, 3);
    await writeFile(file, `dev: true\nlisten: ${listen}\njournal: { backend: nats, nats: ${nats} }\n`);
    return file;
  };
  const run = async (file: string): Promise<Running> => {
    const running = start(['up', '-c', file], { env: { TMPDIR: folder.path } });
    await running.until(/is running/);
    return running;
  };
  const files = await Promise.all([0, 1, 2].map(configure));
  const gateways: Running[] = [];
  for (const file of files) gateways.push(await run(file));
  try {
    const urls = ports.slice(0, 3).map((port) => `http://127.0.0.1:${port}`);
    const targets = ports.slice(3).map((port) => `127.0.0.1:${port}`);
    const load = await startUpgradeLoad({ urls, targets }, { pause: IS_LONG ? 0 : 20 });
    for (let round = 0; round < ROUNDS; round++) {
      for (const [index, file] of files.entries()) {
        gateways[index]?.child.kill('SIGTERM');
        expect(await gateways[index]?.ended).toMatchObject({ code: 0 });
        gateways[index] = await run(file);
      }
    }
    const { asked, ran, sent, heard, sessions, reconnects } = await load.finish();
    expect(ran).toEqual(asked);
    expect(heard).toEqual(sent);
    expect(new Set(sessions)).toEqual(new Set(['Committed']));
    expect(reconnects).toBeGreaterThanOrEqual(3);
  } finally {
    for (const { child, ended } of gateways) {
      child.kill('SIGKILL');
      await ended;
    }
  }
});
