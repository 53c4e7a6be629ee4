import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { proffer, type Running, start } from '../../testing/cli.js';
import { machine, next } from '../../testing/guard-machine.js';

async function addressOf(guard: Running): Promise<URL> {
  const [, url = ''] = /clients reach it at (\S+)/.exec(await guard.until(/clients reach it at \S+\s/)) ?? [];
  return new URL(url);
}

async function clientOf(address: URL): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' });
  onTestFinished(() => client.close());
  await client.connect(new StreamableHTTPClientTransport(address));
  return client;
}

/** Forwards only requests with the right header, like a server on the internet. */
async function doorkeeper(to: URL, authorization: string): Promise<URL> {
  const server = createServer((asked, answer) => {
    if (asked.headers.authorization !== authorization) return void answer.writeHead(401).end();
    const headers = { ...asked.headers, host: to.host };
    const onward = request(to, { method: asked.method ?? 'GET', headers }, (found) => {
      answer.writeHead(found.statusCode ?? 500, found.headers);
      found.pipe(answer);
    });
    onward.on('error', () => answer.destroy());
    answer.on('close', () => onward.destroy());
    asked.pipe(onward);
  }).listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  return new URL(to.pathname, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

const stop = async ({ child, ended }: Running): Promise<void> => {
  child.kill('SIGTERM');
  expect((await ended).code).toBe(0);
};

const READS = `
servers: { asking: { trustHints: true } }
rules: [{ action: allow, match: { annotations: { readOnlyHint: true } } }]
`;

describe('proffer guard over Streamable HTTP', () => {
  it('serves clients with --http, reaches a server with --server-url, and sends it --header', async () => {
    await using here = await machine();
    const rules = join(here.files, 'rules.yaml');
    writeFileSync(rules, 'default: allow\n');
    const open = here.guard('--http', '0', '--rules', rules, '--name', 'open');
    const behind = await doorkeeper(await addressOf(open), 'Bearer secret');
    const header = 'authorization=Bearer secret';
    const reads = join(here.files, 'reads.yaml');
    writeFileSync(reads, READS);
    const server = ['--server-url', behind.href, '--header', header];
    const asking = start(here.bare('--http', '0', ...server, '--rules', reads, '--name', 'asking'));
    const client = await clientOf(await addressOf(asking));
    await using reviewer = await here.reviewer();
    const path = join(here.files, 'a.txt');
    const listed = await client.callTool({ name: 'list_directory', arguments: { path: here.files } });
    expect(JSON.stringify(listed.content)).toContain('rules.yaml');
    const written = client.callTool({ name: 'write_file', arguments: { path, content: 'hello' } });
    const proposal = await next(reviewer, 'a.txt');
    expect([proposal.params?.['name'], existsSync(path)]).toEqual(['asking/write_file', false]);
    await proposal.fulfil();
    expect(await written).not.toHaveProperty('isError', true);
    expect(existsSync(path)).toBe(true);
    const stranger = start(here.bare('--http', '0', '--server-url', behind.href, '--name', 'stranger'));
    await expect(clientOf(await addressOf(stranger))).rejects.toBeInstanceOf(Error);
    for (const guard of [stranger, asking, open]) await stop(guard);
  });

  it('resumes with the server behind --server-url once that is back', async () => {
    await using here = await machine();
    const rules = join(here.files, 'rules.yaml');
    writeFileSync(rules, 'default: allow\n');
    const open = (port: string): Running => here.guard('--http', port, '--rules', rules, '--name', 'open');
    const up = start(['up', '--dev', '--port', '0', '--data', join(here.data, 'journal-of-up')]);
    const [, gateway = ''] = /HTTP +(http:\S+)/.exec(await up.until(/Ctrl-C stops it/)) ?? [];
    const first = open('0');
    const address = await addressOf(first);
    const guard = start([
      ...here.bare('--http', '0', '--server-url', address.href, '--rules', rules),
      '--url',
      gateway,
      '--token',
      'asking',
    ]);
    const client = await clientOf(await addressOf(guard));
    const call = { name: 'list_directory', arguments: { path: here.files } };
    expect(JSON.stringify(await client.callTool(call))).toContain('rules.yaml');
    await stop(first);
    await expect(client.callTool(call)).rejects.toThrow('Nothing was run; call again.');
    const second = open(address.port);
    await addressOf(second);
    expect(JSON.stringify(await client.callTool(call))).toContain('rules.yaml');
    for (const one of [guard, second, up]) await stop(one);
  });

  it('reports the exit code of a server that exits at once, and passes it none of our variables', async () => {
    await using here = await machine();
    const script = 'process.exit(Object.keys(process.env).some((name) => /^PROFFER_/.test(name)) ? 4 : 3)';
    const env = { PROFFER_HTTP_SECRET: 'x' };
    const { code, stderr } = await start([...here.bare(), '--', process.execPath, '-e', script], { env })
      .ended;
    expect([code, stderr]).toEqual([1, expect.stringMatching(/exited with code 3 before it answered/)]);
  });

  it('reports which port is taken, for clients and for the shared gateway', async () => {
    await using here = await machine();
    const taken = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void taken.close());
    await once(taken, 'listening');
    const port = String((taken.address() as AddressInfo).port);
    const gateway = await here.guard('--gateway-port', port).ended;
    expect([gateway.code, gateway.stderr]).toEqual([1, expect.stringContaining(`port ${port}`)]);
    expect(gateway.stderr).toContain('--gateway-port 0');
    const http = await here.guard('--http', port).ended;
    expect([http.code, http.stderr]).toEqual([1, expect.stringContaining(`port ${port}`)]);
    expect(http.stderr).not.toContain('is guarded');
  });

  it.each([
    [
      'a header without a value',
      ['--server-url', 'http://127.0.0.1:1', '--header', 'x'],
      'is not written as name=value',
    ],
    [
      'a name that is a path',
      ['--server-url', 'http://127.0.0.1:1', '--name', '../x'],
      'is not a valid name',
    ],
    [
      "a reviewer's name",
      ['--server-url', 'http://127.0.0.1:1', '--name', 'reviewer'],
      'is the name of a reviewer',
    ],
    ['an invalid address', ['--server-url', 'nowhere'], 'is not the address of a server'],
  ])('%s exits with 2 and explains the right usage', async (_title, options, sentence) => {
    await using here = await machine();
    const { code, stderr } = await start(here.bare(...options)).ended;
    expect([code, stderr]).toEqual([2, expect.stringContaining(sentence)]);
  });
});

describe('proffer bridge over Streamable HTTP', () => {
  it('O-26: reaches a server with --server-url, and sends it --header', async () => {
    await using here = await machine();
    const rules = join(here.files, 'rules.yaml');
    writeFileSync(rules, 'default: allow\n');
    const server = here.guard('--http', '0', '--rules', rules, '--name', 'open');
    const behind = await doorkeeper(await addressOf(server), 'Bearer secret');
    const up = start(['up', '--dev', '--port', '0', '--data', join(here.data, 'journal-of-up')]);
    const [, url = ''] = /HTTP +(http:\S+)/.exec(await up.until(/Ctrl-C stops it/)) ?? [];
    const place = ['--data', here.data, '--gateway', url, '--token', 'files'];
    const header = 'authorization=Bearer secret';
    const bridge = start(['bridge', ...place, '--server-url', behind.href, '--header', header]);
    await bridge.until(/serves its tools/);
    const path = join(here.files, 'a.txt');
    const call = ['write_file', '--arg', `path=${path}`, '--arg', 'content=hello'];
    const env = { PROFFER_URL: url };
    await proffer(['propose', ...call, '--id', 'a', '--no-wait'], { env });
    expect(await proffer(['approve', 'a'], { env })).toMatchObject({ code: 0 });
    expect(readFileSync(path, 'utf8')).toBe('hello');
    for (const one of [bridge, up, server]) await stop(one);
  });
});
