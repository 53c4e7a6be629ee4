import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JsonObject } from '@proffer/core/json';
import { describe, expect, it } from 'vitest';
import type { ChannelEvents, JsonRpcChannel } from '../channel/channel.js';
import { createUpstreamHttp } from '../channel/upstream-http.js';
import { isRequest } from '../json-rpc.js';
import { requestMeta } from '../revision.js';
import { guardInProcess } from '../testing/in-process.js';
import { startSpace, type TestSpace } from '../testing/space.js';
import { startClientHttp } from './client-http.js';

/** A server that answers at once, as told. */
function answering(
  answer: (request: JsonObject, events: ChannelEvents) => JsonObject | undefined,
): JsonRpcChannel {
  let events: ChannelEvents | undefined;
  return {
    async open(told) {
      events = told;
    },
    send(message) {
      const said = isRequest(message) && events !== undefined ? answer(message, events) : undefined;
      if (said !== undefined)
        queueMicrotask(() => events?.onMessage({ jsonrpc: '2.0', id: message['id'], ...said }));
      return true;
    },
    pause() {},
    resume() {},
    close: async () => {},
  };
}

/** A guard that allows everything, in front of such a server. */
async function startFront(space: TestSpace, open: () => JsonRpcChannel) {
  const { guard } = await guardInProcess(space, {
    decide: () => ({ action: 'allow', reason: '', version: '1' }),
  });
  const front = await startClientHttp({
    guard,
    port: 0,
    openSession: open,
    openExchange: open,
    log: () => {},
  });
  return {
    async post(method: string, params: JsonObject = {}, headers: Readonly<Record<string, string>> = {}) {
      const name = typeof params['name'] === 'string' ? { 'mcp-name': params['name'] } : {};
      return await fetch(front.url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': '2026-07-28',
          'mcp-method': method,
          ...name,
          ...headers,
        },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 7,
          method,
          params: { ...params, _meta: { ...requestMeta({ name: 'test', version: '1' }) } },
        }),
      });
    },
    async [Symbol.asyncDispose]() {
      await front.close();
      await guard.close();
    },
  };
}

const failing = (code: number) => () => answering(() => ({ error: { code, message: 'no' } }));

describe('server error for a client of 2026-07-28', () => {
  it.each<[string, string, number, number]>([
    ['an unknown method', 'nothing/such', -32_601, 404],
    ['contradictory headers and body', 'prompts/list', -32_020, 400],
    ['a missing client capability', 'tools/call', -32_021, 400],
    ['an unsupported revision', 'server/discover', -32_022, 400],
    ['wrong params', 'prompts/get', -32_602, 200],
    ["a tool's own error", 'tools/call', -32_601, 200],
  ])('has its own HTTP status: %s', async (_title, method, code, status) => {
    await using space = await startSpace();
    await using front = await startFront(space, failing(code));
    const response = await front.post(method, { name: 'x' });
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ id: 7, error: { code } });
  });

  it('is that of a server that does not know this revision at all', async () => {
    const refusing = createServer((_request, response) => {
      response.writeHead(400, { 'content-type': 'application/json' });
      response.end('{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Not initialized"}}');
    }).listen(0, '127.0.0.1');
    await once(refusing, 'listening');
    const { port } = refusing.address() as AddressInfo;
    await using space = await startSpace();
    await using front = await startFront(space, () =>
      createUpstreamHttp({ url: new URL(`http://127.0.0.1:${port}`) }),
    );
    const response = await front.post('server/discover');
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ id: 7, error: { code: -32_603 } });
    refusing.close();
  });

  it('arrives in the stream, once that has begun', async () => {
    await using space = await startSpace();
    await using front = await startFront(space, () =>
      answering((_request, events) => {
        events.onMessage({ jsonrpc: '2.0', method: 'notifications/message', params: {} });
        return { error: { code: -32_601, message: 'no' } };
      }),
    );
    const response = await front.post('nothing/such');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(await response.text()).toMatch(/notifications\/message[^]*"id":7[^]*-32601/);
  });
});

describe('refusal by the guard for a client of 2026-07-28', () => {
  it('names the refused request', async () => {
    await using space = await startSpace();
    await using front = await startFront(space, () => answering(() => ({ result: {} })));
    const response = await front.post('prompts/list', {}, { 'mcp-method': 'tools/list' });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ id: 7, error: { code: -32_020 } });
  });

  it.each(['tasks/get', 'tasks/update', 'tasks/cancel'])(
    'reports an unknown task, even if the server has no tasks: %s',
    async (method) => {
      await using space = await startSpace();
      await using front = await startFront(space, failing(-32_601));
      const task = { taskId: 'nobody' };
      const undeclared = await front.post(method, task, { 'mcp-name': 'nobody' });
      expect(undeclared.status).toBe(400);
      expect(await undeclared.json()).toMatchObject({ id: 7, error: { code: -32_021 } });
    },
  );
});

it('answers a request with an error if its server goes away', async () => {
  await using space = await startSpace();
  await using front = await startFront(space, () =>
    answering((_request, events) => {
      events.onClose(new Error('gone'));
      return undefined;
    }),
  );
  const response = await front.post('prompts/list');
  expect(await response.json()).toMatchObject({ id: 7, error: { code: -32_603 } });
});
