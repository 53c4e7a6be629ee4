import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { proffer } from '../testing/cli.js';
import { machine } from '../testing/guard-machine.js';

const guardAt = (url: string, ...more: readonly string[]) =>
  proffer(['guard', '--server-url', url, ...more], {
    env: { PROFFER_HOME: join(tmpdir(), 'proffer-never-made') },
  });

describe('--server-url', () => {
  it('is rejected at startup without http:// or https://, with the corrected address', async () => {
    const { code, stderr } = await guardAt('localhost:9/mcp?key=SECRET');
    expect(code).toBe(2);
    expect(stderr).toContain('it must begin with http:// or https://');
    expect(stderr).toContain('--server-url http://localhost:9/…\n');
    expect(stderr).not.toContain('SECRET');
  });

  it.each(['http://user:SECRETPW@127.0.0.1:9/mcp', 'http://user:SECRETPW@', 'user:SECRETPW@127.0.0.1:9/mcp'])(
    'is rejected with a password, without repeating it: %s',
    async (url) => {
      const { code, stdout, stderr } = await guardAt(url);
      expect(code).toBe(2);
      expect(stdout + stderr).not.toContain('SECRETPW');
    },
  );

  it.each([
    ['mcp.example.com/t/SECRET/mcp', 'https://mcp.example.com/…'],
    ['sk-SECRET', 'https://HOST/…'],
    ['eyJhbGciOiJIUzI1NiJ9.SECRET.c2lnbmF0dXJl', 'https://HOST/…'],
    ['sk-secret', 'https://HOST/…'],
  ])('is suggested by its host alone, if it has one: %s', async (url, suggested) => {
    const { stderr } = await guardAt(url);
    expect(stderr).toContain(`--server-url ${suggested}\n`);
    expect(stderr.toLowerCase()).not.toContain('secret');
  });

  it('says how else to send a password', async () => {
    expect((await guardAt('http://user:pw@127.0.0.1:9/mcp')).stderr).toContain('--header authorization=');
  });
});

describe('bridge', () => {
  it('reports an address where nobody answers', async () => {
    await using here = await machine();
    const probe = createServer().listen(0, '127.0.0.1');
    await once(probe, 'listening');
    const { port } = probe.address() as AddressInfo;
    probe.close();
    const [, ...rest] = here.bare('--server-url', `http://127.0.0.1:${port}/mcp?key=SECRET`);
    const { code, stderr } = await proffer(['bridge', ...rest]);
    expect(code).toBe(1);
    expect(stderr).toContain(`http://127.0.0.1:${port} cannot be reached (ECONNREFUSED).`);
    expect(stderr).toContain('Check --server-url');
    for (const untrue of ['started', '127-0-0-1', 'SECRET']) expect(stderr).not.toContain(untrue);
  });
});

describe('--header', () => {
  it.each([
    {
      header: 'authorization: Bearer SECRET123',
      says: '--header authorization is not written as name=value.',
    },
    { header: 'Bearer SECRET123', says: 'A --header is not written as name=value.' },
    { header: 'SECRET123', says: 'A --header is not written as name=value.' },
    {
      header: 'authorization=Bearer SECRET123€',
      says: '--header authorization has a character in its value',
    },
    { header: 'authorization=Bearer SECRET123\nx: y', says: '--header authorization has a character in' },
  ])('is rejected at startup, repeating only its name: $says', async ({ header, says }) => {
    const { code, stdout, stderr } = await guardAt('http://127.0.0.1:9/mcp', '--header', header);
    expect(code).toBe(2);
    expect(stderr).toContain(says);
    expect(stdout + stderr).not.toContain('SECRET123');
  });
});
