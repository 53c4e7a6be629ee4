import { join } from 'node:path';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import type { JsonObject } from '@proffer/core/json';
import { describe, expect, it } from 'vitest';
import { Bridge } from '../bridge/bridge.js';
import { Guard } from '../guard/guard.js';
import { createProposalArchive } from '../guard/recovery/index.js';
import { createPinFile } from '../guard/trust/index.js';
import { requestOf } from '../json-rpc.js';
import { freePort } from '../testing/free-port.js';
import { answerWith, type BluntServer, startBluntServer } from '../testing/servers/blunt-server.js';
import { startSpace } from '../testing/space.js';
import { NotTakenError } from './not-taken.js';
import { readSendFailure } from './send-failure.js';
import { createTransportChannel } from './transport-channel.js';
import { createUpstreamHttp } from './upstream-http.js';

const INITIALIZE = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
};
const PAID = { code: -32_602, message: 'Paid, but the receipt could not be mailed. Do not pay again.' };

type Told = { readonly answer: JsonObject } | { readonly lost: Error };

/** The result of a call at an address, after `initialize`. */
async function callAt(url: URL, headers: Readonly<Record<string, string>> = {}): Promise<Told> {
  const channel = createUpstreamHttp({ url, headers });
  const waiting = new Map<unknown, (told: Told) => void>();
  await channel.open({
    onMessage: (answer) => waiting.get(answer['id'])?.({ answer }),
    onUnanswered: (id, lost) => waiting.get(id)?.({ lost }),
    onClose: () => {},
    onDrain: () => {},
  });
  const ask = (id: string, method: string, params: JsonObject): Promise<Told> =>
    new Promise((resolve) => {
      waiting.set(id, resolve);
      channel.send(requestOf(id, method, params));
    });
  try {
    await ask('first', 'initialize', INITIALIZE);
    return await ask('second', 'tools/call', { name: 'pay', arguments: {} });
  } finally {
    await channel.close();
  }
}

async function lostAt(url: URL, headers?: Readonly<Record<string, string>>): Promise<Error> {
  const told = await callAt(url, headers);
  if ('lost' in told) return told.lost;
  throw new Error('It was answered.');
}

/** A server that has run the call, and reports its result together with a status. */
const paying = (status = 400): Promise<BluntServer> =>
  startBluntServer({
    onCall: (response, id) => answerWith(response, status, { id: id as string, error: PAID }),
  });

describe('server over HTTP', () => {
  it.each([400, 404, 409, 422, 500])(
    'delivers an error with status %i as the answer to a call',
    async (status) => {
      await using server = await paying(status);
      expect(await callAt(server.url)).toMatchObject({ answer: { id: 'second', error: PAID } });
    },
  );

  it('delivers a result with a failing status as the answer to a call', async () => {
    const result = { content: [], isError: true };
    const onCall = (response: Parameters<typeof answerWith>[0], id: unknown): void =>
      answerWith(response, 422, { id: id as string, result });
    await using server = await startBluntServer({ onCall });
    expect(await callAt(server.url)).toMatchObject({ answer: { id: 'second', result } });
  });

  it('does not take an answer to another request as the answer to this call', async () => {
    await using server = await startBluntServer({
      onCall: (response) => answerWith(response, 400, { id: 'third', error: PAID }),
    });
    const lost = await lostAt(server.url);
    expect(lost).not.toBeInstanceOf(NotTakenError);
    expect(lost.message).toBe(`${server.url.origin} answered with HTTP status 400.`);
  });

  it.each([
    { certain: true, statuses: [401, 403, 405, 411, 413, 414, 415, 421, 425, 426, 429, 431] },
    { certain: false, statuses: [303, 400, 402, 404, 406, 408, 409, 410, 412, 418, 422, 423, 499, 500, 503] },
  ])(
    'O-23: has not run the call if it only sends a status (certain: $certain)',
    async ({ certain, statuses }) => {
      let now = 0;
      await using server = await startBluntServer({
        onCall: (response) => void response.writeHead(now).end(),
      });
      const seen = new Map<number, boolean>();
      for (const status of statuses) {
        now = status;
        seen.set(status, (await lostAt(server.url)) instanceof NotTakenError);
      }
      expect(seen).toEqual(new Map(statuses.map((status) => [status, certain])));
    },
  );

  it('certainly has not run a call of an unknown session', async () => {
    await using server = await startBluntServer({
      onCall: (response) => void response.writeHead(404).end(),
      hasSessions: true,
    });
    expect(await lostAt(server.url)).toBeInstanceOf(NotTakenError);
  });

  it.each([
    ['Session not found', { code: -32_001, message: 'Session not found' }, true],
    ['in other words', { code: -32_000, message: 'Unknown session ID' }, true],
    ['about something else', { code: -32_000, message: 'No such file' }, false],
    ['about the method', { code: -32_601, message: 'Method not found' }, false],
  ])(
    'certainly has not run a call of an unknown session, also with a JSON-RPC error: %s',
    async (_, error, certain) => {
      await using server = await startBluntServer({
        onCall: (response, id) => answerWith(response, 404, { id: id as string, error }),
        hasSessions: true,
      });
      const told = await callAt(server.url);
      expect('lost' in told && told.lost instanceof NotTakenError).toBe(certain);
    },
  );

  it('certainly has not run a call that needs more authorization first', async () => {
    const challenge = { 'www-authenticate': 'Bearer error="insufficient_scope", scope="pay"' };
    await using server = await startBluntServer({
      onCall: (response) => void response.writeHead(403, challenge).end(),
    });
    const lost = await lostAt(server.url);
    expect(lost).toBeInstanceOf(NotTakenError);
    expect(lost.message).toBe(`${server.url.origin} answered with HTTP status 403.`);
  });

  it('certainly has not run a call if nobody could connect; it may have if it disconnects while reading', async () => {
    const port = await freePort();
    for (const host of ['127.0.0.1', 'localhost']) {
      const unreached = await lostAt(new URL(`http://${host}:${port}/mcp`));
      expect(unreached).toBeInstanceOf(NotTakenError);
      expect(unreached.message).toContain(`http://${host}:${port} cannot be reached (ECONNREFUSED).`);
    }
    await using server = await startBluntServer({ onCall: (response) => void response.destroy() });
    expect(await lostAt(server.url)).not.toBeInstanceOf(NotTakenError);
  });

  it.each([
    { code: 'EHOSTUNREACH', syscall: 'read', certain: false },
    { code: 'ETIMEDOUT', syscall: 'read', certain: false },
    { code: 'EHOSTUNREACH', syscall: 'connect', certain: true },
    { code: 'ETIMEDOUT', syscall: 'connect', certain: true },
    { code: 'EAI_AGAIN', syscall: 'getaddrinfo', certain: true },
    { code: 'ECONNREFUSED', certain: false },
    { code: 'UND_ERR_CONNECT_TIMEOUT', certain: true },
  ])('$code of $syscall shows that nothing was sent: $certain', ({ certain, ...about }) => {
    const cause = Object.assign(new Error('it failed'), about);
    const sending = { url: new URL('http://host/mcp'), hasSession: false };
    const read = readSendFailure(new TypeError('fetch failed', { cause }), sending);
    expect(read instanceof NotTakenError).toBe(certain);
  });

  it('never appears with secrets from its address or headers', async () => {
    const port = await freePort();
    const address = await lostAt(new URL(`http://user:SECRETPW@127.0.0.1:${port}/mcp`));
    expect(address.message).not.toContain('SECRETPW');
    const header = await lostAt(new URL(`http://127.0.0.1:${port}/mcp`), { authorization: 'Bearer SECRET€' });
    expect(header.message).not.toContain('SECRET');
  });
});

describe('error with a failing HTTP status', () => {
  it('reaches the caller of a bridge', async () => {
    await using server = await paying();
    await using space = await startSpace();
    const reviewer = await space.join('reviewer');
    const bridge = await Bridge.start({
      participant: await space.join('tools'),
      openServer: () => createUpstreamHttp({ url: server.url }),
      isRemote: true,
    });
    await expect(reviewer.request('tools/call', { name: 'pay' }, { to: 'tools' })).rejects.toMatchObject({
      name: 'OperationFailedError',
      ...PAID,
    });
    expect(server.calls()).toBe(1);
    await bridge.close();
    await reviewer.close();
  });

  it('reaches the caller of a guard', async () => {
    await using server = await paying();
    await using space = await startSpace();
    const guard = await Guard.start({
      participant: await space.join('notes'),
      archive: createProposalArchive({ url: space.url, space: 'main', token: 'notes' }),
      pins: createPinFile(join(space.folder, 'pins.json')),
      server: 'blunt',
      decide: () => ({ action: 'allow', reason: '', version: '1' }),
    });
    const [toClient, front] = InMemoryTransport.createLinkedPair();
    await guard.connect(createTransportChannel(front), createUpstreamHttp({ url: server.url }));
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(toClient);
    await expect(client.callTool({ name: 'pay', arguments: {} })).rejects.toMatchObject({
      message: expect.stringContaining(PAID.message),
    });
    await guard.close();
  });
});
