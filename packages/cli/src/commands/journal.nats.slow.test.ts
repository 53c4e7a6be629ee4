import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type NatsServers, startNatsServers } from '@proffer/journal/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../testing/cli.js';
import { startDevGateway } from '../testing/dev-gateway.js';
import { runHere } from '../testing/in-process.js';

let servers: NatsServers;

beforeAll(async () => {
  servers = await startNatsServers();
});
afterAll(() => servers[Symbol.asyncDispose]());

const json = async (...args: readonly string[]) =>
  JSON.parse((await runHere([...args, '--json'])).stdout) as Record<string, unknown>;

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
    const logged = async (place: string) => (await runHere(['log', '--data', place, '--json'])).stdout;
    expect(await logged(address)).toBe(await logged(gateway.data));
    const removed = await json('compact', '--data', address, '--older-than', '1h', '--dry-run');
    expect(removed).toMatchObject({ proposals: 0 });
    await using folder = await temporaryFolder();
    const back = join(folder.path, 'back');
    expect(await json('copy', address, back)).toMatchObject({ records, seq });
    expect(await json('verify', '--data', back)).toMatchObject({ whole: true, records });
    expect(await runHere(['copy', gateway.data, address, '--replicas', '1'])).toMatchObject({
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
      return found.findings.filter(({ subject }) => /NATS|journal/.test(subject));
    };
    await write(`{ servers: ["${servers.urls[0]}"], stream: copied, replicas: 1 }`);
    expect(await findings()).toMatchObject([
      { subject: 'NATS', state: 'warn', message: expect.stringContaining('limits.message_size') },
      { subject: 'journal', state: 'good', message: expect.stringContaining('is safe') },
    ]);
    await write(`{ servers: ["${servers.urls[0]}"], stream: copied }`);
    expect((await findings())[1]).toMatchObject({
      state: 'bad',
      message: expect.stringContaining('num_replicas is 1 and must be 3 or more'),
    });
    await write('{ servers: ["nats://127.0.0.1:9"] }');
    expect(await findings()).toMatchObject([
      { subject: 'NATS', state: 'bad', message: expect.stringContaining('nats://127.0.0.1:9') },
    ]);
  });
});
