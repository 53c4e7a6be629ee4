import { createServer } from 'node:http';
import { PROTOCOL } from '@proffer/core';
import { expect, it } from 'vitest';
import { startTestGateway } from '../testing/gateway.js';
import { startRelay } from '../testing/relay.js';
import { createHttpClient, NoAnswerError } from './index.js';

const call = { method: 'tools/call', params: { name: 'write_file', arguments: { path: '/a' } } };
const proposal = { protocol: PROTOCOL, kind: 'mcp.proposal.tools/call', payload: call };
const NOBODY = 'http://127.0.0.1:9';

it('I-2, O-3: what was sent and not answered is sent to the next gateway under the same id, and counts once', async () => {
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

it('asks the next gateway where one is gone or not ready, also for a stream', async () => {
  await using gateway = await startTestGateway();
  const server = createServer((_, response) => response.writeHead(503).end()).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const notReady = `http://127.0.0.1:${(server.address() as { readonly port: number }).port}`;
  const url = `${NOBODY},${notReady},${gateway.url}`;
  const agent = createHttpClient({ url, space: 'main', token: 'agent' });
  const ends = new AbortController();
  const events = await agent.events(0, ends.signal);
  await createHttpClient({ url, space: 'main', token: 'agent' }).send({ ...proposal, id: 'p-1' });
  for await (const { id } of events) {
    expect(id).toBe('p-1');
    break;
  }
  ends.abort();
  server.close();
});

it('says that a message may have arrived, if it may have at any of them', async () => {
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
