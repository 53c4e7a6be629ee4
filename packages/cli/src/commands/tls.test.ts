import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '@proffer/client';
import { grpcTransport, httpTransport, MacpClient } from '@proffer/client/negotiation';
import { startOnLoopback } from '@proffer/gateway';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CERTIFICATE, KEY } from '../testing/certificate.js';
import { runHere } from '../testing/in-process.js';

let folder: string;
let ca: string;
let gateway: Awaited<ReturnType<typeof startOnLoopback>>;
let url: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'proffer-tls-'));
  ca = join(folder, 'gateway.crt');
  const key = join(folder, 'gateway.key');
  await writeFile(ca, CERTIFICATE);
  await writeFile(key, KEY, { mode: 0o600 });
  gateway = await startOnLoopback(`dev: true\ntls: { cert: ${ca}, key: ${key} }`);
  url = `https://localhost:${gateway.port}`;
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

describe('gateway with a certificate from a private CA', () => {
  it('reports the missing certificate instead of a missing gateway, with the option that helps', async () => {
    const { code, stderr } = await runHere(['inbox', '--url', url, '--as', 'reviewer']);
    expect(code).toBe(3);
    expect(stderr).toContain(
      `The certificate of ${url} is signed by an authority that this machine does not trust`,
    );
    expect(stderr).toContain('→ --ca FILE');
    expect(stderr).not.toContain('No gateway answers');
    const doctor = await runHere(['doctor', '--url', url, '--data', join(folder, 'none')]);
    expect(doctor.stdout).toContain('an authority that this machine does not trust');
    expect(doctor.stdout).not.toContain('EADDRINUSE');
  });

  it('is trusted with --ca and with PROFFER_CA by everything that talks to it', async () => {
    const as = ['--url', url, '--as', 'reviewer'];
    expect((await runHere(['inbox', ...as, '--ca', ca])).stdout).toContain(
      'Nothing is waiting for a decision.',
    );
    expect((await runHere(['negotiate', 'list', ...as], { PROFFER_CA: ca })).stdout).toContain('No session');
    const doctor = await runHere(['doctor', ...as, '--ca', ca, '--data', join(folder, 'none')]);
    expect(doctor.stdout).toContain(`${url} is ready; you are reviewer`);
    await using tools = await connect({ url, space: 'main', token: 'tools', ca: CERTIFICATE });
    await tools.serve([{ name: 'echo', handler: ({ text }) => text }]);
    await runHere([
      'propose',
      'echo',
      '--arg',
      'text=hi',
      '--id',
      'p1',
      '--no-wait',
      '--url',
      url,
      '--ca',
      ca,
    ]);
    const approved = await runHere(['approve', 'p1', ...as, '--ca', ca]);
    expect(approved.stderr).toContain('runs on   tools');
    expect(approved.stdout).toContain('│ hi');
  });

  it('reports problems with the file before any request', async () => {
    const missing = await runHere(['inbox', '--ca', join(folder, 'none')]);
    expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining('cannot be read (ENOENT)') });
    await writeFile(join(folder, 'text'), 'hello');
    const empty = await runHere(['inbox'], { PROFFER_CA: join(folder, 'text') });
    expect(empty).toMatchObject({ code: 2, stderr: expect.stringContaining('has no certificate in PEM') });
  });

  it('reports TLS on one side only', async () => {
    await using plain = await startOnLoopback();
    const secured = await runHere(['inbox', '--url', `https://127.0.0.1:${plain.port}`, '--as', 'reviewer']);
    expect(secured.stderr).toContain('does not speak TLS.');
    expect(secured.stderr).toContain(`→ --url http://127.0.0.1:${plain.port}`);
    const open = await runHere(['inbox', '--url', `http://127.0.0.1:${gateway.port}`]);
    expect(open.stderr).toContain(`→ --url https://127.0.0.1:${gateway.port}   # if it speaks TLS`);
  });

  it('honours NODE_EXTRA_CA_CERTS over gRPC, and ca over HTTP', async () => {
    const sessions = async (transport: ReturnType<typeof httpTransport>) => {
      const client = new MacpClient({ transport, auth: { token: 'agent', sender: 'agent' }, retry: false });
      try {
        return (await client.listSessions()).sessions;
      } finally {
        await client.close();
      }
    };
    const target = `localhost:${gateway.grpcPort}`;
    await expect(sessions(grpcTransport({ target, secure: true }))).rejects.toThrow(/certificate/);
    const before = process.env['NODE_EXTRA_CA_CERTS'];
    process.env['NODE_EXTRA_CA_CERTS'] = ca;
    try {
      expect(await sessions(grpcTransport({ target, secure: true }))).toEqual([]);
    } finally {
      if (before === undefined) delete process.env['NODE_EXTRA_CA_CERTS'];
      else process.env['NODE_EXTRA_CA_CERTS'] = before;
    }
    expect(await sessions(httpTransport({ url, ca: CERTIFICATE }))).toEqual([]);
  });
});
