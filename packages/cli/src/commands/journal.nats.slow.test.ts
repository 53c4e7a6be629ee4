import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type NatsServers,
  natsSettings,
  openIntruder,
  startNatsServers,
  TEST_ACCESS,
} from '@proffer/journal/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../testing/cli.js';
import { startDevGateway } from '../testing/dev-gateway.js';
import { runHere } from '../testing/in-process.js';

let servers: NatsServers;

beforeAll(async () => {
  servers = await startNatsServers();
});
afterAll(() => servers[Symbol.asyncDispose]());

const env = { PROFFER_JOURNAL_NATS_KEYS: TEST_ACCESS.keys.text };
const json = async (...args: readonly string[]) =>
  JSON.parse((await runHere([...args, '--json'], env)).stdout) as Record<string, unknown>;

describe('journal on NATS', () => {
  it('I-3: is copied from a folder, replays to the same state, verifies, and can be copied back', async () => {
    await using gateway = await startDevGateway();
    await gateway.run('propose', 'echo', '--arg', 'text=a', '--id', 'first', '--no-wait');
    await gateway.run('approve', 'first');
    await gateway.run('propose', 'echo', '--arg', 'text=b', '--id', 'second', '--no-wait');
    await gateway.stop();
    const address = `${servers.urls[0]}/copied`;
    const { records, seq } = await json('copy', gateway.data, address, '--replicas', '1');
    expect(records).toBeGreaterThan(3);
    expect(await json('verify', '--data', address)).toMatchObject({ whole: true, records });
    const { folder: _there, ...there } = await json('replay', '--data', address);
    const { folder: _here, ...here } = await json('replay', '--data', gateway.data);
    expect(there).toEqual(here);
    expect(there).toMatchObject({ seq });
    const logged = async (place: string) => (await runHere(['log', '--data', place, '--json'], env)).stdout;
    expect(await logged(address)).toBe(await logged(gateway.data));
    const removed = await json('compact', '--data', address, '--older-than', '1h', '--dry-run');
    expect(removed).toMatchObject({ proposals: 0 });
    await using folder = await temporaryFolder();
    const back = join(folder.path, 'back');
    expect(await json('copy', address, back)).toMatchObject({ records, seq });
    expect(await json('verify', '--data', back)).toMatchObject({ whole: true, records });
    expect(await runHere(['copy', gateway.data, address, '--replicas', '1'], env)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/already exists and has messages\. Copy into a new stream\.\n$/),
    });
  });

  it('I-1: is checked by doctor, which reports what is missing or unsafe', async () => {
    await using folder = await temporaryFolder();
    const config = join(folder.path, 'proffer.yaml');
    const write = (nats: string) =>
      writeFile(
        config,
        `dev: true\nlisten: { http: 127.0.0.1:0 }\njournal:\n  backend: nats\n  nats: ${nats}\n`,
      );
    const findings = async () => {
      const { stdout } = await runHere(['doctor', '--config', config, '--json']);
      const found = JSON.parse(stdout) as { findings: { subject: string; state: string; message: string }[] };
      return found.findings.filter(({ subject }) => /NATS|journal|records/.test(subject));
    };
    const settings = (more: object) =>
      JSON.stringify({ ...(JSON.parse(natsSettings(servers.urls)) as object), ...more });
    await write(settings({ stream: 'copied' }));
    const insecure = { subject: 'NATS', state: 'warn', message: expect.stringContaining('allow_insecure') };
    expect(await findings()).toMatchObject([
      { subject: 'NATS', state: 'warn', message: expect.stringContaining('limits.message_size') },
      insecure,
      { subject: 'journal', state: 'good', message: expect.stringContaining('is safe') },
      {
        subject: 'records',
        state: 'good',
        message: expect.stringContaining('have the MAC of a gateway'),
      },
    ]);
    await write(settings({ stream: 'copied', replicas: 3 }));
    expect((await findings())[2]).toMatchObject({
      state: 'bad',
      message: expect.stringContaining('num_replicas is 1 and must be 3 or more'),
    });
    await write(settings({ allow_insecure: false }));
    expect(await findings()).toMatchObject([
      { subject: 'NATS', state: 'bad', message: expect.stringContaining('lets anyone in without a login') },
    ]);
    await write(settings({ servers: ['nats://127.0.0.1:9'] }));
    expect(await findings()).toMatchObject([
      { subject: 'NATS', state: 'bad', message: expect.stringContaining('nats://127.0.0.1:9') },
    ]);
  });

  it('I-9: doctor and verify name what no gateway wrote, and the keys are needed for both', async () => {
    await using gateway = await startDevGateway();
    await gateway.run('propose', 'echo', '--arg', 'text=a', '--id', 'first', '--no-wait');
    await gateway.stop();
    const address = `${servers.urls[0]}/attacked`;
    await json('copy', gateway.data, address, '--replicas', '1');
    await using intruder = await openIntruder(servers.urls);
    const { data, headers } = await intruder.last('attacked', 'attacked.main.proposal.first');
    const { 'Proffer-Mac': _mac, ...unsigned } = headers;
    const moved = await intruder.write('attacked.main.proposal.second', data, headers);
    const bare = await intruder.write('attacked.main.proposal.third', data, unsigned);
    const { code, stdout } = await runHere(['verify', '--data', address], env);
    expect(code).toBe(1);
    expect(stdout).toContain(`Message ${moved} on attacked.main.proposal.second has a wrong MAC`);
    expect(stdout).toContain(`Message ${bare} on attacked.main.proposal.third has no MAC`);
    const refused = { code: 1, stderr: expect.stringContaining('keys of the gateways are missing') };
    expect(await runHere(['verify', '--data', address])).toMatchObject(refused);
    expect(await runHere(['copy', address, `${gateway.data}-copy`], env)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`Message ${moved} on`),
    });
    await using folder = await temporaryFolder();
    const config = join(folder.path, 'proffer.yaml');
    const nats = JSON.stringify({
      ...(JSON.parse(natsSettings(servers.urls)) as object),
      stream: 'attacked',
    });
    await writeFile(
      config,
      `dev: true\nlisten: { http: 127.0.0.1:0 }\njournal: { backend: nats, nats: ${nats} }\n`,
    );
    const checked = await runHere(['doctor', '--config', config]);
    expect(checked).toMatchObject({ code: 1, stdout: expect.stringContaining(`Message ${moved} on`) });
  });
});
