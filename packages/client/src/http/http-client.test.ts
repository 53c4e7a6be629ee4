import { PROTOCOL } from '@proffer/core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestGateway, type TestGateway } from '../testing/gateway.js';
import { createHttpClient } from './index.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway[Symbol.asyncDispose]());

const clientOf = (token: string) => createHttpClient({ url: gateway.url, space: 'main', token });
const proposal = (id: string) => ({
  protocol: PROTOCOL,
  id,
  kind: 'mcp.proposal.tools/call',
  payload: { method: 'tools/call', params: { name: 'write_file', arguments: { path: '/tmp/a' } } },
});

it('O-1: sends a proposal, lists it as pending, and reads its history', async () => {
  const agent = clientOf('agent');
  expect(await agent.send(proposal('p-1'))).toMatchObject({ id: 'p-1', status: 'accepted' });
  const reviewer = clientOf('reviewer');
  expect((await reviewer.pending()).proposals).toMatchObject([{ id: 'p-1', proposer: 'agent' }]);
  const { history } = await reviewer.proposal('p-1');
  expect(history.map(({ type }) => type)).toEqual(['proposed']);
  const pages = [];
  for await (const page of reviewer.proposals({ proposer: 'nobody' })) pages.push(...page);
  expect(pages).toEqual([]);
});

it('follows the feed from a position', async () => {
  const { seq } = await clientOf('reviewer').feed('now');
  const ends = new AbortController();
  const events = await clientOf('reviewer').events(seq, ends.signal);
  await clientOf('agent').send(proposal('p-2'));
  for await (const { id } of events) {
    expect(id).toBe('p-2');
    break;
  }
  ends.abort();
});

it('I-5: throws a refusal with its code', async () => {
  await expect(clientOf('reviewer').proposal('nothing')).rejects.toMatchObject({
    name: 'RefusedError',
    code: 'unknown_proposal',
  });
});

it('reports that nothing arrived if there is no connection', async () => {
  const { url } = gateway;
  await gateway.stop();
  const failing = createHttpClient({ url, space: 'main', token: 'agent' }).send(proposal('p-3'));
  await expect(failing).rejects.toMatchObject({
    name: 'NoAnswerError',
    kind: 'unreachable',
    mayHaveArrived: false,
  });
  await gateway.start();
});
