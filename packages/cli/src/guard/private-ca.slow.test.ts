import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startOnLoopback } from '@proffer/gateway';
import { expect, it } from 'vitest';
import { CERTIFICATE, KEY } from '../testing/certificate.js';
import { proffer, temporaryFolder } from '../testing/cli.js';

it.each(['guard', 'bridge'])(
  'a private CA is trusted by %s with --ca and with PROFFER_CA',
  async (command) => {
    await using folder = await temporaryFolder();
    const ca = join(folder.path, 'gateway.crt');
    const key = join(folder.path, 'gateway.key');
    await writeFile(ca, CERTIFICATE);
    await writeFile(key, KEY, { mode: 0o600 });
    await using gateway = await startOnLoopback(`dev: true\ntls: { cert: ${ca}, key: ${key} }`);
    const url = `https://localhost:${gateway.port}`;
    const place = [command, '--url', url, '--token', 'agent', '--data', join(folder.path, command)];
    const server = ['--', process.execPath, '-e', '0'];
    const untrusting = await proffer([...place, ...server]);
    expect(untrusting).toMatchObject({ code: 3, stderr: expect.stringContaining('→ --ca FILE') });
    // Behind the gateway's door the server is at fault.
    const trusting = await proffer([...place, '--ca', ca, ...server]);
    expect(trusting).toMatchObject({ code: 1, stderr: expect.stringMatching(/exited|did not answer/) });
    const otherwise = await proffer([...place, ...server], { env: { PROFFER_CA: ca } });
    expect(otherwise).toMatchObject({ code: 1, stderr: expect.stringMatching(/exited|did not answer/) });
    const alone = await proffer([command, '--ca', ca, ...server]);
    expect(alone).toMatchObject({ code: 2, stderr: expect.stringContaining('--ca belong to --url') });
  },
);
