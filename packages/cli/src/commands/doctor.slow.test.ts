import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { proffer, temporaryFolder } from '../testing/cli.js';

async function listening(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('proffer doctor --url', () => {
  it('reports that something other than a gateway answers, also if it closes every connection at once', async () => {
    await using folder = await temporaryFolder();
    const closing = await listening(createServer((socket) => void socket.on('error', () => {}).end()));
    const other = await listening(
      createHttpServer((_request, response) => {
        response.writeHead(404, { 'content-type': 'application/json' }).end('{"jsonrpc":"2.0"}');
      }),
    );
    for (const [url, said] of [
      [closing, /at http:\S+?:? .*no/],
      [other, `The server at ${other} is not a Proffer gateway (HTTP status 404).`],
    ] as const) {
      const { code, stdout } = await proffer(['doctor', '--url', url], { cwd: folder.path });
      expect(stdout).toMatch(said);
      expect(stdout).toContain('→ Check --url');
      expect(stdout).not.toMatch(/replays its journal|up --dev/);
      expect(code).toBe(1);
    }
  });

  it('does not check the port of a local gateway', async () => {
    await using folder = await temporaryFolder();
    const taken = new URL(await listening(createServer()));
    await writeFile(join(folder.path, 'proffer.yaml'), `dev: true\nlisten: { http: "${taken.host}" }\n`);
    const elsewhere = await proffer(['doctor', '--url', 'http://127.0.0.1:1'], { cwd: folder.path });
    expect(elsewhere.stdout).not.toContain('port ');
    expect(elsewhere.stdout).toContain('No gateway answers at http://127.0.0.1:1');
    expect(elsewhere.code).toBe(1);
    const here = await proffer(['doctor'], { cwd: folder.path });
    expect(here.stdout).toContain(`✗ port ${taken.port}`);
  });

  it('checks the gRPC port too', async () => {
    await using folder = await temporaryFolder();
    const taken = new URL(await listening(createServer()));
    const listen = `listen: { http: "127.0.0.1:1", grpc: "${taken.host}" }`;
    await writeFile(join(folder.path, 'proffer.yaml'), `dev: true\n${listen}\n`);
    const { code, stdout } = await proffer(['doctor'], { cwd: folder.path });
    expect(stdout).toContain(`✗ port ${taken.port}`);
    expect(stdout).toContain('up --grpc-port N');
    expect(code).toBe(1);
  });

  it('reports a problem if none of the named gateways is ready', async () => {
    await using folder = await temporaryFolder();
    const starting = await listening(
      createHttpServer((request, response) => {
        response.writeHead(request.url === '/readyz' ? 503 : 200, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ ready: false, reason: 'NATS is away.' }));
      }),
    );
    const { code, stdout } = await proffer(['doctor', '--url', `${starting},http://127.0.0.1:1`], {
      cwd: folder.path,
    });
    expect(stdout).toContain(`${starting} is not ready: NATS is away.`);
    expect(stdout).toContain('2 problems to fix.');
    expect(code).toBe(1);
  });

  it('reports a file in place of the journal folder', async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'file');
    await writeFile(file, '');
    const { code, stdout } = await proffer(['doctor', '--data', join(file, 'journal')], { cwd: folder.path });
    expect(stdout).toContain(`${file} is not a folder.`);
    expect(code).toBe(1);
  });
});
