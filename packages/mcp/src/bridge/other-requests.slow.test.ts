import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { InMemoryTransport } from '@modelcontextprotocol/client';
import type { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Participant } from '@proffer/client';
import type { JsonObject } from '@proffer/core/json';
import { describe, expect, it } from 'vitest';
import type { JsonRpcChannel } from '../channel/channel.js';
import { createTransportChannel } from '../channel/transport-channel.js';
import { createUpstreamStdio } from '../channel/upstream-stdio.js';
import { textAt } from '../json-rpc.js';
import { createLibraryServer } from '../testing/servers/library-server.js';
import { startSpace, type TestSpace } from '../testing/space.js';
import { createTestClock } from '../testing/test-clock.js';
import { Bridge } from './bridge.js';

const official = (name: string): string =>
  fileURLToPath(
    new URL(`../../../../node_modules/@modelcontextprotocol/${name}/dist/index.js`, import.meta.url),
  );
const EVERYTHING = [official('server-everything'), 'stdio'];
const DOCUMENT = 'demo://resource/static/document/features.md';

const node = (args: readonly string[]) => (): JsonRpcChannel =>
  createUpstreamStdio({ command: process.execPath, args });

/** The library server in this process, in the 2025 revisions or in 2026-07-28 only. */
function library(legacy: 'serve' | 'reject', started: McpServer[] = []) {
  return (): JsonRpcChannel => {
    const [back, transport] = InMemoryTransport.createLinkedPair();
    const open = () => {
      const server = createLibraryServer();
      started.push(server);
      return server;
    };
    serveStdio(open, { legacy, transport });
    return createTransportChannel(back);
  };
}

/** A scripted server of 2026-07-28 that records its requests. */
function scripted(results: Readonly<Record<string, JsonObject>>, asked: JsonObject[]): JsonRpcChannel {
  let answer: (message: JsonObject) => void = () => {};
  return {
    async open({ onMessage }) {
      answer = onMessage;
    },
    send(message) {
      asked.push(message);
      const result = results[textAt(message, 'method')];
      const error = { code: -32_601, message: 'There is no such thing.' };
      const outcome = result === undefined ? { error } : { result: { resultType: 'complete', ...result } };
      queueMicrotask(() => answer({ jsonrpc: '2.0', id: message['id'] ?? null, ...outcome }));
      return true;
    },
    pause() {},
    resume() {},
    async close() {},
  };
}

/** A bridge to a server, with an agent and a reviewer in the same space. */
async function bridged(openServer: (space: TestSpace) => JsonRpcChannel) {
  const space = await startSpace();
  const reviewer = await space.join('reviewer');
  const agent = await space.join('agent');
  const participant = await space.join('tools');
  const clock = createTestClock();
  const bridge = await Bridge.start({ participant, clock, openServer: () => openServer(space) });
  return {
    clock,
    space,
    reviewer,
    agent,
    ask: (method: string, params?: Parameters<Participant['request']>[1]) =>
      reviewer.request(method, params, { to: 'tools' }),
    serves: () => reviewer.participants.find(({ id }) => id === 'tools')?.serves,
    async [Symbol.asyncDispose]() {
      await bridge.close();
      await Promise.all([reviewer.close(), agent.close()]);
      await space[Symbol.asyncDispose]();
    },
  };
}

describe('resources and prompts of a bridged server', () => {
  it('O-26: are announced, and read when a proposal to read one is fulfilled', async () => {
    await using here = await bridged(node(EVERYTHING));
    expect(here.serves()).toMatchObject({
      resources: expect.arrayContaining([expect.objectContaining({ uri: DOCUMENT })]),
      prompts: expect.arrayContaining([expect.objectContaining({ name: 'args-prompt' })]),
    });
    here.reviewer.onProposal(({ fulfil }) => fulfil());
    const read = await here.agent.propose('resources/read', { uri: DOCUMENT });
    expect(read).toMatchObject({ contents: [{ uri: DOCUMENT, text: expect.stringContaining('Features') }] });
    const prompt = { name: 'args-prompt', arguments: { city: 'Bonn' } };
    expect(JSON.stringify(await here.agent.propose('prompts/get', prompt))).toContain('Bonn');
  });

  it('are answered as the server answers, including errors', async () => {
    await using here = await bridged(node(EVERYTHING));
    expect(await here.ask('resources/list')).toHaveProperty('resources');
    expect(await here.ask('resources/templates/list')).toHaveProperty('resourceTemplates');
    expect(await here.ask('prompts/list')).toHaveProperty('prompts');
    expect(await here.ask('ping')).toEqual({});
    const ref = { type: 'ref/prompt', name: 'completable-prompt' };
    const completion = { ref, argument: { name: 'department', value: 'E' } };
    expect(await here.ask('completion/complete', completion)).toMatchObject({
      completion: { values: ['Engineering'] },
    });
    await expect(here.ask('resources/read', { uri: 'demo://nothing' })).rejects.toMatchObject({
      code: -32_602,
      message: expect.stringContaining('demo://nothing'),
    });
  });

  it.each([
    ['2025', 'serve'],
    ['2026-07-28 only', 'reject'],
  ] as const)(
    'are read, and announced again when they change, from a server of %s',
    async (_revision, legacy) => {
      const started: McpServer[] = [];
      await using here = await bridged(library(legacy, started));
      here.reviewer.onProposal(({ fulfil }) => fulfil());
      const read = here.agent.propose('resources/read', { uri: 'library://index' });
      expect(await read).toMatchObject({ contents: [{ text: 'one book' }] });
      const praise = here.agent.propose('prompts/get', { name: 'praise' });
      expect(await praise).toMatchObject({ messages: [{ content: { text: 'Praise the library.' } }] });
      // It is in no list, so the requester has to name the addressee.
      const meta = { 'io.modelcontextprotocol/protocolVersion': '1999-01-01' };
      expect(await here.ask('resources/read', { uri: 'library://books/emma', _meta: meta })).toMatchObject({
        contents: [{ text: 'the text of emma' }],
      });
      const ref = { type: 'ref/resource', uri: 'library://books/{title}' };
      const completion = { ref, argument: { name: 'title', value: 'd' } };
      expect(await here.ask('completion/complete', completion)).toMatchObject({
        completion: { values: ['dune'] },
      });
      const added = started.at(-1)?.registerResource('news', 'library://news', {}, (uri) => ({
        contents: [{ uri: uri.href, text: '' }],
      }));
      const servesLater = () => {
        here.clock.pass(1_000);
        return JSON.stringify(here.serves());
      };
      await expect.poll(servesLater, { timeout: 10_000 }).toContain('library://news');
      added?.remove();
      await expect.poll(servesLater, { timeout: 10_000 }).not.toContain('library://news');
    },
  );

  it("are requested in the bridge's name, and fail if the server wants input first", async () => {
    const asked: JsonObject[] = [];
    const results = {
      'server/discover': { capabilities: { tools: {}, resources: {} }, supportedVersions: ['2026-07-28'] },
      'tools/list': { tools: [{ name: 'pay', inputSchema: { type: 'object' } }] },
      'tools/call': { resultType: 'input_required', inputRequests: {} },
      'resources/list': { resources: [{ uri: 'a:b', name: 'b' }, { uri: 'a:b' }, { name: 'nowhere' }] },
      'resources/read': { contents: [{ uri: 'a:b', text: 'b' }] },
    };
    await using here = await bridged(() => scripted(results, asked));
    expect(here.serves()).toMatchObject({ resources: [{ uri: 'a:b', name: 'b' }] });
    const meta = { 'io.modelcontextprotocol/clientCapabilities': { sampling: {} }, progressToken: 1 };
    await here.ask('resources/read', { uri: 'a:b', _meta: meta });
    expect(asked.at(-1)).toMatchObject({ method: 'resources/read', params: { uri: 'a:b' } });
    expect(asked.at(-1)?.['params']).toHaveProperty('_meta', {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'proffer-bridge', version: '0.1.0' },
      'io.modelcontextprotocol/clientCapabilities': {},
    });
    await expect(here.ask('tools/call', { name: 'pay' })).rejects.toMatchObject({
      message: expect.stringContaining('nobody to ask'),
    });
  });

  it("are refused in the server's words if it has none, and not announced", async () => {
    await using here = await bridged(({ folder }) => node([official('server-filesystem'), folder])());
    expect(Object.keys(here.serves() ?? {})).toEqual(['tools']);
    for (const method of ['resources/list', 'prompts/list']) {
      await expect(here.ask(method)).rejects.toMatchObject({ code: -32_601, message: 'Method not found' });
    }
  });

  it('O-26: are no longer announced when another server takes its place', async () => {
    await using space = await startSpace();
    await using reviewer = await space.join('reviewer');
    const serves = () => reviewer.participants.find(({ id }) => id === 'tools')?.serves;
    const first = await Bridge.start({
      participant: await space.join('tools'),
      openServer: library('serve'),
    });
    expect(serves()).toMatchObject({
      prompts: [{ name: 'praise' }],
      resources: [{ uri: 'library://index' }],
    });
    await first.close();
    const openServer = node([official('server-filesystem'), space.folder]);
    const second = await Bridge.start({ participant: await space.join('tools'), openServer });
    expect(serves()).toMatchObject({ prompts: [], resources: [] });
    await second.close();
  });

  it.each([
    ['initialize', 'manages the connection'],
    ['server/discover', 'manages the connection'],
    ['tasks/cancel', 'do not create tasks'],
    ['resources/subscribe', 'does not pass on'],
    ['sampling/createMessage', 'Servers send this method to clients'],
    ['something/else', 'It answers tools/call, tools/list, resources/list'],
  ])('does not pass on %s, and the error says why', async (method, why) => {
    await using here = await bridged(library('serve'));
    await expect(here.ask(method, { uri: 'library://index' })).rejects.toMatchObject({
      code: -32_601,
      message: expect.stringContaining(why),
    });
  });

  it('can be requested again after the server was killed before answering', async () => {
    const pidIn = ({ folder }: TestSpace) => join(folder, 'pid');
    await using here = await bridged((space) => {
      const script = 'echo $$ > "$0.new" && mv "$0.new" "$0" && exec "$@"';
      return createUpstreamStdio({
        command: 'sh',
        args: ['-c', script, pidIn(space), process.execPath, ...EVERYTHING],
      });
    });
    const pid = Number(readFileSync(pidIn(here.space), 'utf8'));
    rmSync(pidIn(here.space));
    process.kill(pid, 'SIGSTOP');
    const asked = here.ask('resources/read', { uri: DOCUMENT }).catch((error: unknown) => error);
    // Answered by the bridge itself, after it accepted the earlier request.
    await here.ask('tools/list');
    process.kill(pid, 'SIGKILL');
    expect(await asked).toMatchObject({
      code: -32_603,
      message: expect.stringMatching(/SIGKILL.*try again/),
    });
    await expect(here.ask('prompts/list')).rejects.toMatchObject({
      message: 'The server is not running; nothing was run.',
    });
    here.clock.pass(500);
    await expect.poll(() => existsSync(pidIn(here.space)), { timeout: 10_000 }).toBe(true);
    await expect
      .poll(() => here.ask('resources/read', { uri: DOCUMENT }).catch(() => 'not yet'), { timeout: 20_000 })
      .toHaveProperty('contents');
  });
});
