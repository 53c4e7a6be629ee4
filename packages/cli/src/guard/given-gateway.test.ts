import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../testing/cli.js';
import { runHere } from '../testing/in-process.js';

describe.each(['guard', 'bridge'])('%s', (command) => {
  const run = (...options: readonly string[]) => runHere([command, ...options, '--', 'true']);

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
});

it.each(['file', 'file/below', '/proc/nope'])('guard rejects %s as its folder', async (data) => {
  await using folder = await temporaryFolder();
  await writeFile(join(folder.path, 'file'), '');
  const path = data.startsWith('/') ? data : join(folder.path, data);
  const { code, stderr } = await runHere(['guard', '--data', path, '--', 'true']);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^✗ The folder of the guards, .* cannot be used: /);
  expect(stderr).toContain('--data FOLDER');
});
