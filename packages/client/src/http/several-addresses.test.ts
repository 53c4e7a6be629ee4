import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PROTOCOL } from '@proffer/core';
import { expect, it } from 'vitest';
import { startTestGateway } from '../testing/gateway.js';
import { startRelay } from '../testing/relay.js';
import { createHttpClient, NoAnswerError, RefusedError } from './index.js';

const call = { method: 'tools/call', params: { name: 'write_file', arguments: { path: '/a' } } };
const proposal = { protocol: PROTOCOL, kind: 'mcp.proposal.tools/call', payload: call };
const NOBODY = 'http://127.0.0.1:9';

async function serve(answer: RequestListener) {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

it('I-2, O-3: an unanswered message is sent to the next gateway under the same id, and counts once', async () => {
  await using gateway = await startTestGateway();
  await using relay = await startRelay(gateway.port);
  const agent = createHttpClient({
    url: [relay.url, gateway.url],
    space: 'main',
    token: 'agent',
    answerWithin: 1_000,
  });
  relay.muteGateway();
  expect(await agent.send(proposal)).toMatchObject({ status: 'duplicate' });
  const { proposals } = await agent.pending();
  expect(proposals).toHaveLength(1);
  // The one that did not answer is not asked again.
  expect(relay.made).toBe(1);
});

it('asks the next gateway if one is gone or not ready, also for a stream', async () => {
  await using gateway = await startTestGateway();
  await using notReady = await serve((_, response) => response.writeHead(503).end());
  const url = `${NOBODY},${notReady.url},${gateway.url}`;
  const agent = createHttpClient({ url, space: 'main', token: 'agent' });
  const ends = new AbortController();
  const events = await agent.events(0, ends.signal);
  await createHttpClient({ url, space: 'main', token: 'agent' }).send({ ...proposal, id: 'p-1' });
  for await (const { id } of events) {
    expect(id).toBe('p-1');
    break;
  }
  ends.abort();
});

it('reports that a message may have arrived, if it may have at any gateway', async () => {
  await using gateway = await startTestGateway();
  await using relay = await startRelay(gateway.port);
  relay.muteGateway();
  const options = { space: 'main', token: 'agent', answerWithin: 1_000 };
  const failing = createHttpClient({ ...options, url: [relay.url, NOBODY] }).send(proposal);
  const error = await failing.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(NoAnswerError);
  expect(error).toMatchObject({ kind: 'unreachable', mayHaveArrived: true });
  const never = await createHttpClient({ ...options, url: NOBODY })
    .send(proposal)
    .catch((reason: unknown) => reason);
  expect(never).toMatchObject({ kind: 'unreachable', mayHaveArrived: false });
});

it.each([
  ['rate_limited', NoAnswerError],
  ['unauthenticated', NoAnswerError],
  ['unavailable', NoAnswerError],
  // It would have recognised the message before it checked the proposal.
  ['proposal_not_pending', RefusedError],
])('O-3: a message that one gateway lost and the next refused with %s', async (code, expected) => {
  await using taken = await serve((_, response) => response.destroy());
  await using refusing = await serve((_, response) => {
    response.writeHead(429).end(JSON.stringify({ code, detail: 'No.' }));
  });
  const agent = createHttpClient({ url: [taken.url, refusing.url], space: 'main', token: 'agent' });
  const error: unknown = await agent.send(proposal).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(expected);
  if (expected === RefusedError) expect(error).toMatchObject({ code });
  else expect(error).toMatchObject({ mayHaveArrived: true, cause: { code } });
});

it('opens a stream at the next gateway if one accepts the connection and stays silent', async () => {
  await using silent = await serve(() => {});
  await using gateway = await startTestGateway();
  const options = { space: 'main', token: 'agent', answerWithin: 300 };
  const ends = new AbortController();
  const agent = createHttpClient({ ...options, url: [silent.url, gateway.url] });
  const events = await agent.events(0, ends.signal);
  await agent.send({ ...proposal, id: 'p-1' });
  for await (const { id } of events) {
    expect(id).toBe('p-1');
    break;
  }
  ends.abort();
  const alone = createHttpClient({ ...options, url: silent.url });
  await expect(alone.events(0, new AbortController().signal)).rejects.toMatchObject({ kind: 'silent' });
  const left = new AbortController();
  const leaving = alone.events(0, left.signal);
  left.abort(new Error('enough'));
  await expect(leaving).rejects.not.toBeInstanceOf(NoAnswerError);
});
