import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { createIssuerKey, NOW } from '../../door/auth/testing/issuer.js';
import { loopbackConfig } from '../../loopback.js';
import { chat } from '../../testing/messages.js';
import { readMetric, until } from '../../testing/metrics.js';
import { ask } from '../../testing/peers/http.js';
import { connectPeer, refusedPeer } from '../../testing/peers/peer.js';
import { connectRaw } from '../../testing/peers/raw.js';
import { startTestGateway } from '../../testing/test-gateway.js';
import { createToken } from '../../token.js';

const participants = (tokens: Readonly<Record<string, string>>) =>
  `journal: { backend: memory }\nparticipants:\n${Object.entries(tokens)
    .map(([name, hash]) => `  ${name}: { tokens: ["${hash}"], spaces: { main: ["*"] } }\n`)
    .join('')}`;

/** Fetches the proposals as a page would; a browser sets these headers itself. */
async function get(
  port: number,
  headers: Readonly<Record<string, string>>,
): Promise<{ readonly status: number | undefined; readonly code: string | undefined }> {
  const sent = { authorization: 'Bearer agent', ...headers };
  const asked = request({ host: '127.0.0.1', port, path: '/spaces/main/proposals', headers: sent }).end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  const body = JSON.parse(await text(response)) as { readonly code?: string };
  return { status: response.statusCode, code: body.code };
}

it('I-4: nobody gets in without a valid token', async () => {
  const { token, hash } = createToken();
  await using gateway = await startTestGateway(participants({ agent: hash }));
  const unauthenticated = { status: 401, code: 'unauthenticated' };
  expect(await refusedPeer(gateway.ws, undefined)).toEqual(unauthenticated);
  expect(await refusedPeer(gateway.ws, 'agent')).toEqual(unauthenticated);
  expect(await refusedPeer(gateway.ws, createToken().token)).toEqual(unauthenticated);
  expect(await refusedPeer(gateway.ws, `${token}x`)).toEqual(unauthenticated);
  expect(await ask(`${gateway.http}/spaces/main/feed`, undefined)).toMatchObject(unauthenticated);
  await using agent = await connectPeer(gateway.ws, token);
  expect(await agent.say(chat('c1'))).toMatchObject({ from: 'agent' });
});

it('I-4: a token in the URL is refused, even a valid one', async () => {
  await using gateway = await startTestGateway();
  const refused = { status: 400, code: 'token_in_url' };
  expect(await refusedPeer(gateway.ws, 'agent', { token: 'agent' })).toEqual(refused);
  expect(await refusedPeer(gateway.ws, 'agent', { access_token: 'agent' })).toEqual(refused);
  expect(await ask(`${gateway.http}/spaces/main/feed?token=agent`, 'agent')).toMatchObject(refused);
});

it('I-4: in dev mode a page of another site gets in neither by WebSocket nor by HTTP, under no name', async () => {
  await using gateway = await startTestGateway();
  const foreign = { status: 403, code: 'foreign_origin' };
  const asked = (headers: Readonly<Record<string, string>>) => get(gateway.port, headers);
  for (const origin of ['https://evil.example', 'http://127.0.0.1.evil.example', 'null']) {
    expect(await refusedPeer(gateway.ws, 'steward', {}, { origin })).toEqual(foreign);
    expect(await asked({ origin })).toEqual(foreign);
  }
  expect(await refusedPeer(gateway.ws, 'steward', {}, { host: 'evil.example' })).toEqual(foreign);
  expect(await asked({ host: 'evil.example:7420' })).toEqual(foreign);
  for (const origin of ['http://localhost:5173', 'http://127.0.0.1:7420', 'http://[::1]:80']) {
    expect(await asked({ origin })).toEqual({ status: 200, code: undefined });
  }
  expect(await asked({ host: `localhost:${gateway.port}` })).toEqual({ status: 200, code: undefined });
});

it('I-4: with tokens, the origin of a page makes no difference', async () => {
  const { token, hash } = createToken();
  await using gateway = await startTestGateway(participants({ agent: hash }));
  const headers = { origin: 'https://console.example', host: 'gateway.example' };
  expect(await get(gateway.port, { ...headers, authorization: `Bearer ${token}` })).toMatchObject({
    status: 200,
  });
});

it.each([
  ['a missing space', { space: 'nowhere' }, 'forbidden_space'],
  ['a space with a path in it', { space: '../main' }, 'forbidden_space'],
  ['no space', { space: '' }, 'invalid_field'],
  ['an invalid seq', { after: '-1' }, 'invalid_field'],
  ['an invalid routing', { routing: 'everything' }, 'invalid_field'],
  ['an invalid dialect', { dialect: 'klingon' }, 'invalid_field'],
])('I-4: %s is refused', async (_, query, code) => {
  await using gateway = await startTestGateway();
  expect(await refusedPeer(gateway.ws, 'agent', query)).toMatchObject({ code });
});

it('I-4: another path is refused, also one that looks the same to some parsers', async () => {
  await using gateway = await startTestGateway();
  for (const path of ['/', '/ws/', '//ws', '//x/ws', '/%77s']) {
    const url = `ws://127.0.0.1:${gateway.port}${path}`;
    expect(await refusedPeer(url, 'agent')).toMatchObject({ status: 404, code: 'unknown_route' });
  }
});

it('I-4: a revoked token ends its connections at once, also those that only listen', async () => {
  const [agent, reviewer] = [createToken(), createToken()];
  await using gateway = await startTestGateway(participants({ agent: agent.hash, reviewer: reviewer.hash }));
  await using revoked = await connectPeer(gateway.ws, agent.token);
  await using stays = await connectPeer(gateway.ws, reviewer.token);
  const stream = await fetch(`${gateway.http}/spaces/main/feed`, {
    headers: { authorization: `Bearer ${agent.token}`, accept: 'text/event-stream' },
  });
  gateway.gateway.reload(loopbackConfig(participants({ reviewer: reviewer.hash })));
  expect(await revoked.closed).toBe(4401);
  expect(await stream.text()).toContain('event: end\ndata: credential_revoked');
  await stays.say(chat('c1'));
  expect(revoked.messages.filter(({ id }) => id === 'c1')).toEqual([]);
  expect(await refusedPeer(gateway.ws, agent.token)).toMatchObject({ code: 'unauthenticated' });
});

it('I-4: a participant removed from a space is disconnected from it', async () => {
  const { token, hash } = createToken();
  await using gateway = await startTestGateway(participants({ agent: hash }));
  await using agent = await connectPeer(gateway.ws, token);
  const elsewhere = `spaces: { main: {}, other: {} }\n${participants({ agent: hash })}`;
  gateway.gateway.reload(
    loopbackConfig(elsewhere.replace('spaces: { main: ["*"] }', 'spaces: { other: ["*"] }')),
  );
  expect(await agent.closed).toBe(4401);
});

it('I-4: capabilities removed by a reload are gone with the next message', async () => {
  const { token, hash } = createToken();
  await using gateway = await startTestGateway(participants({ agent: hash }));
  await using agent = await connectPeer(gateway.ws, token);
  await agent.say(chat('c1'));
  gateway.gateway.reload(loopbackConfig(participants({ agent: hash }).replace('"*"', 'mcp.proposal.*')));
  agent.send(chat('c2'));
  expect(await agent.error('c2')).toMatchObject({ error: 'capability_violation' });
});

it('I-4: an expired JWT ends its connection, whether it sends or not', async () => {
  const key = await createIssuerKey('ES256', 'one');
  const yaml = `journal: { backend: memory }
participants: { agent: { spaces: { main: ["*"] } } }
jwt: { issuer: https://issuer.example, audience: proffer, jwks: ${JSON.stringify({ keys: [key.jwk] })} }`;
  let now = NOW;
  await using gateway = await startTestGateway(yaml, undefined, () => now);
  const token = await key.sign({ sub: 'agent' });
  await using sends = await connectPeer(gateway.ws, token);
  await using listens = await connectPeer(gateway.ws, token);
  await sends.say(chat('c1'));
  now = NOW + 120_000;
  sends.send(chat('c2'));
  expect(await sends.closed).toBe(4401);
  expect(await listens.closed).toBe(4401);
  expect(listens.messages.filter(({ id }) => id === 'c2')).toEqual([]);
  expect(await refusedPeer(gateway.ws, token)).toMatchObject({ code: 'unauthenticated' });
});

it('I-7: connections per token are limited, streams included', async () => {
  await using gateway = await startTestGateway('dev: true\nlimits: { connections_per_token: 3 }');
  await using first = await connectPeer(gateway.ws, 'agent');
  await using second = await connectPeer(gateway.ws, 'agent');
  const abort = new AbortController();
  const headers = { authorization: 'Bearer agent', accept: 'text/event-stream' };
  const third = await fetch(`${gateway.http}/spaces/main/feed`, { headers, signal: abort.signal });
  const refused = { status: 429, code: 'too_many_connections' };
  expect(await refusedPeer(gateway.ws, 'agent')).toEqual(refused);
  expect(await ask(`${gateway.http}/spaces/main/feed`, undefined, { headers })).toMatchObject(refused);
  await using other = await connectPeer(gateway.ws, 'reviewer');
  await other.say(chat('c1'));
  abort.abort();
  await third.text().catch(() => undefined);
  first.socket.close();
  await first.closed;
  await until(async () => (await readMetric(gateway.http, 'proffer_connections', '{transport="sse"}')) === 0);
  await using again = await connectPeer(gateway.ws, 'agent');
  await again.say(chat('c2'));
  await second.next(({ id }) => id === 'c2');
});

it('I-7: compression is never negotiated', async () => {
  await using gateway = await startTestGateway();
  await using agent = await connectPeer(gateway.ws, 'agent', {}, { perMessageDeflate: true });
  expect(agent.socket.extensions).toBe('');
  await agent.say(chat('c1', 'x'.repeat(10_000)));
});

it.each(['//', '//x:y:z/ws', '/x/../ws', 'http://x//ws', '*'])(
  'I-7: an upgrade for %s is refused, and harms nobody',
  async (path) => {
    await using gateway = await startTestGateway();
    using peer = await connectRaw(gateway.port, upgrade('\r\n', path));
    expect(await peer.ended).toMatch(/^HTTP\/1\.1 404 .*"unknown_route"/s);
    await using agent = await connectPeer(gateway.ws, 'agent');
    await agent.say(chat('c1'));
  },
);

const upgrade = (more: string, path = '/ws?space=main') =>
  `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${more}`;

it('I-7: a refused upgrade leaves no socket behind, even if the peer never closes its side', async () => {
  await using gateway = await startTestGateway();
  using peer = await connectRaw(gateway.port, upgrade('Sec-WebSocket-Version: 13\r\n\r\n'));
  expect(await peer.ended).toMatch(/^HTTP\/1\.1 401 /);
  // Writing fails on a closed socket, and not on a half-closed one.
  const gone = new Promise((resolve) => peer.socket.once('error', resolve));
  await until(() => {
    peer.socket.write('still here');
    return peer.socket.destroyed;
  });
  expect(await gone).toMatchObject({ code: expect.stringMatching(/EPIPE|ECONNRESET/) });
});

it('I-7: an invalid upgrade is refused, and does not count as a connection', async () => {
  await using gateway = await startTestGateway('dev: true\nlimits: { connections_per_token: 1 }');
  for (const wrong of ['', 'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: short\r\n']) {
    using peer = await connectRaw(gateway.port, upgrade(`Authorization: Bearer agent\r\n${wrong}\r\n`));
    expect(await peer.ended).toMatch(/^HTTP\/1\.1 4\d\d /);
  }
  await using agent = await connectPeer(gateway.ws, 'agent');
  await agent.say(chat('c1'));
});
