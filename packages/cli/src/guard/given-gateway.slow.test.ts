import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { startOnLoopback } from '@proffer/gateway';
import { describe, expect, it, onTestFinished } from 'vitest';
import { proffer, temporaryFolder } from '../testing/cli.js';

describe.each(['guard', 'bridge'])('%s', (command) => {
  const run = (...options: readonly string[]) => proffer([command, ...options, '--', 'true']);

  it('reports at once that there is no gateway at --url, and what to do', async () => {
    await using folder = await temporaryFolder();
    const at = ['--token', 'x', '--data', folder.path];
    const nobody = await run('--url', 'http://127.0.0.1:1', ...at);
    expect(nobody.code).toBe(3);
    expect(nobody.stderr).toContain('No gateway answers at http://127.0.0.1:1');
    expect(nobody.stderr).toContain('→ proffer doctor --url http://127.0.0.1:1');
    let status = 404;
    const server = createServer((_request, response) => void response.writeHead(status).end()).listen(0);
    onTestFinished(() => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const other = await run('--url', url, ...at);
    expect(other.code).toBe(3);
    expect(other.stderr).toContain(`The server at ${url} is not a Proffer gateway (HTTP status 404).`);
    status = 503;
    const proxy = await run('--url', url, ...at);
    expect(proxy.code).toBe(3);
    expect(proxy.stderr).toContain(`A proxy answers at ${url}, but no gateway behind it is ready`);
  });

  it('enters at the one of several gateways that answers', async () => {
    await using folder = await temporaryFolder();
    await using gateway = await startOnLoopback();
    const nobody = 'http://127.0.0.1:9';
    const runAt = (at: string) => {
      const place = [command, '--url', at, '--token', command, '--data', folder.path];
      return proffer([...place, '--', process.execPath, '-e', '0']);
    };
    expect(await runAt(nobody)).toMatchObject({ code: 3, stderr: expect.stringContaining(nobody) });
    const { code, stderr } = await runAt(`${nobody},http://127.0.0.1:${gateway.port}`);
    // Once it is in, it ends because its client or its server is gone, whichever it notices first.
    expect([0, 1]).toContain(code);
    expect(stderr).not.toContain(nobody);
  });

  it("leaves the options after a server's command to the server, also without --", async () => {
    const given = ['--url', 'not an address', '--token', 't'];
    const { stderr } = await proffer([command, ...given, 'true', '-y', 'server', '--name', 'x']);
    expect(stderr).toContain('--url');
    expect(stderr).not.toContain('Unknown option');
  });
});

it.each(['file', 'file/below', '/proc/nope'])('guard rejects %s as its folder', async (data) => {
  await using folder = await temporaryFolder();
  await writeFile(join(folder.path, 'file'), '');
  const path = data.startsWith('/') ? data : join(folder.path, data);
  const { code, stderr } = await proffer(['guard', '--data', path, '--', 'true']);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^✗ The guards' folder, .* cannot be used: /);
  expect(stderr).toContain('--data FOLDER');
});

it.each(['sk_live_SECRET', 'ftp://host/SECRET', 'SECRET:7420', 'host.example/SECRET', 'http://'])(
  'guard rejects the invalid address %s without repeating it',
  async (url) => {
    await using folder = await temporaryFolder();
    const said = await proffer(['guard', '--data', folder.path, '--url', url, '--token', 't', '--', 'true']);
    expect(said.code).toBe(2);
    expect((said.stdout + said.stderr).toLowerCase()).not.toContain('secret');
  },
);
