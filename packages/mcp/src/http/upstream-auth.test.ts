import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  Client,
  ClientCredentialsProvider,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { createUpstreamHttp } from '../channel/upstream-http.js';
import { createReturningServer } from '../guard/server/index.js';
import { guardInProcess } from '../testing/in-process.js';
import { answerWith, startBluntServer } from '../testing/servers/blunt-server.js';
import { startSpace, type TestSpace } from '../testing/space.js';
import { startClientHttp } from './client-http.js';
import { createUpstreamAuth, pointTo } from './upstream-auth.js';

/** A server with its own authorization server: only its latest token is valid. */
async function startOAuthServer() {
  const given: string[] = [];
  const seen: (string | undefined)[] = [];
  const json = (response: ServerResponse, body: object): true => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    return true;
  };
  const door = (request: IncomingMessage, response: ServerResponse): boolean => {
    const origin = `http://${request.headers.host}`;
    const { url = '' } = request;
    if (url === '/about-access')
      return json(response, { resource: `${origin}/mcp`, authorization_servers: [origin] });
    if (url === '/.well-known/oauth-authorization-server')
      return json(response, {
        issuer: origin,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        response_types_supported: ['code'],
        grant_types_supported: ['client_credentials'],
      });
    if (url === '/token') {
      given.push(`token-${given.length + 1}`);
      return json(response, { access_token: given.at(-1), token_type: 'Bearer' });
    }
    if (url !== '/mcp') {
      response.writeHead(404).end();
      return true;
    }
    seen.push(request.headers.authorization);
    if (given.length > 0 && request.headers.authorization === `Bearer ${given.at(-1)}`) return false;
    const challenge = `Bearer scope="pay", resource_metadata="${origin}/about-access"`;
    response.writeHead(401, { 'www-authenticate': challenge }).end();
    return true;
  };
  const onCall = (response: ServerResponse, id: unknown): void =>
    answerWith(response, 200, { id: id as string, result: { content: [{ type: 'text', text: 'paid' }] } });
  const server = await startBluntServer({ onCall, hasSessions: true, door });
  return { ...server, seen, expire: () => void given.push('nobody has this one') };
}

async function startFront(space: TestSpace, url: URL, { isForwarding = true } = {}) {
  const { guard } = await guardInProcess(space, {
    decide: () => ({ action: 'allow', reason: '', version: '1' }),
  });
  const upstream = isForwarding ? { upstream: createUpstreamAuth({ url }) } : {};
  const open: Parameters<typeof startClientHttp>[0]['openSession'] = (credential) =>
    createReturningServer({ openServer: () => createUpstreamHttp({ url, credential }), log: () => {} });
  const log = (): void => {};
  const front = await startClientHttp({
    guard,
    port: 0,
    openSession: open,
    openExchange: open,
    ...upstream,
    log,
  });
  return {
    url: new URL(front.url),
    async [Symbol.asyncDispose]() {
      await front.close();
      await guard.close();
    },
  };
}

describe('server that requires authorization by its clients', () => {
  it('is reached through a guard by an OAuth client, also with a new token in the same session', async () => {
    await using server = await startOAuthServer();
    await using space = await startSpace();
    await using front = await startFront(space, server.url);
    const provider = new ClientCredentialsProvider({
      clientId: 'me',
      clientSecret: 'secret',
      expectedIssuer: server.url.origin,
    });
    const client = new Client({ name: 'test', version: '1' });
    const transport = new StreamableHTTPClientTransport(front.url, { authProvider: provider });
    await client.connect(transport);
    const session = transport.sessionId;
    expect(await client.callTool({ name: 'pay' })).toMatchObject({ content: [{ text: 'paid' }] });
    server.expire();
    // The call that reveals it is told that nothing was run; the next makes the client get a new token.
    await expect(client.callTool({ name: 'pay' })).rejects.toThrow(/401.*Nothing was run/);
    expect(await client.callTool({ name: 'pay' })).toMatchObject({ content: [{ text: 'paid' }] });
    expect([transport.sessionId, server.calls()]).toEqual([session, 2]);
    await client.close();
  });

  it('challenges a client in its own words, except for the location of its metadata', async () => {
    await using server = await startOAuthServer();
    await using space = await startSpace();
    await using front = await startFront(space, server.url);
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
    const headers = { 'content-type': 'application/json', authorization: 'Bearer wrong' };
    const response = await fetch(front.url, { method: 'POST', headers, body });
    const metadata = `${front.url.origin}/.well-known/oauth-protected-resource/mcp`;
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe(
      `Bearer scope="pay", resource_metadata="${metadata}"`,
    );
    expect(server.seen).toEqual(['Bearer wrong']);
    expect(await (await fetch(metadata)).json()).toEqual({
      resource: front.url.href,
      authorization_servers: [server.url.origin],
    });
  });
});

it('tells a client that a call needs more scopes, and the client retries with another token', async () => {
  const challenge = 'Bearer error="insufficient_scope", scope="pay"';
  const seen: (string | undefined)[] = [];
  await using server = await startBluntServer({
    hasSessions: true,
    onCall: (response, id) => {
      if (seen.at(-1) === 'Bearer more')
        answerWith(response, 200, { id: id as string, result: { content: [] } });
      else response.writeHead(403, { 'www-authenticate': challenge }).end();
    },
    door: ({ headers }) => {
      seen.push(headers.authorization);
      return false;
    },
  });
  await using space = await startSpace();
  await using front = await startFront(space, server.url);
  let token = 'less';
  const send: typeof fetch = (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set('authorization', `Bearer ${token}`);
    return fetch(input, { ...init, headers });
  };
  const client = new Client({ name: 'test', version: '1' });
  const transport = new StreamableHTTPClientTransport(front.url, { fetch: send });
  await client.connect(transport);
  await expect(client.callTool({ name: 'pay' })).rejects.toThrow(/403.*Nothing was run/);
  const response = await send(front.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'mcp-session-id': transport.sessionId ?? '' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 9, method: 'ping' }),
  });
  expect(response.status).toBe(403);
  expect(response.headers.get('www-authenticate')).toMatch(
    /^Bearer error="insufficient_scope", scope="pay", resource_metadata="http/,
  );
  token = 'more';
  expect(await client.callTool({ name: 'pay' })).toMatchObject({ content: [] });
  await client.close();
});

describe('server whose guard does not forward credentials', () => {
  it('sees no client credentials, and clients see no challenge', async () => {
    await using server = await startOAuthServer();
    await using space = await startSpace();
    await using front = await startFront(space, server.url, { isForwarding: false });
    const requestInit = { headers: { authorization: 'Bearer mine' } };
    const client = new Client({ name: 'test', version: '1' });
    await expect(
      client.connect(new StreamableHTTPClientTransport(front.url, { requestInit })),
    ).rejects.toThrow(/answered with HTTP status 401/);
    expect(new Set(server.seen)).toEqual(new Set([undefined]));
    expect((await fetch(new URL('/.well-known/oauth-protected-resource', front.url))).status).toBe(404);
  });
});

describe('challenge', () => {
  it.each([
    ['Bearer', 'Bearer resource_metadata="M"'],
    ['Bearer scope="a"', 'Bearer scope="a", resource_metadata="M"'],
    ['Bearer resource_metadata="x", scope="a"', 'Bearer resource_metadata="M", scope="a"'],
  ])('%s points to other metadata', (challenge, pointed) => {
    expect(pointTo(challenge, 'M')).toBe(pointed);
  });
});
