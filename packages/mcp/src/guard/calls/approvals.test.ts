import { askedCall, OwnCall } from '@proffer/client/own-calls';
import type { JsonObject } from '@proffer/core/json';
import { describe, expect, it } from 'vitest';
import { proposalsFor, textOf } from '../../testing/deciding.js';
import { startSpace } from '../../testing/space.js';
import { createTestClock } from '../../testing/test-clock.js';
import { OUTCOME_KEY } from '../answers.js';
import { connectRaw, listOf } from '../testing/raw-client.js';
import { NextRounds } from './rounds.js';

const write = (path: string) => ({ name: 'write', arguments: { path } });
const argumentsOf = ({ params }: JsonObject) => (params as JsonObject)['arguments'];

describe('approval', () => {
  const answer = ({ method }: JsonObject): JsonObject =>
    method === 'tools/list'
      ? listOf('write', 'read')
      : { result: { content: [{ type: 'text', text: 'ran' }] } };

  it('O-11: applies only to the proposed tool: a request for another that mentions the proposal is not one', async () => {
    await using space = await startSpace();
    await using reviewer = await space.join('reviewer');
    const next = proposalsFor(reviewer);
    await using client = await connectRaw(space, { answer });
    client.send({ id: 1, method: 'tools/call', params: write('/asked') });
    const proposal = await next();
    const answered = new Promise<JsonObject>((resolve) => {
      reviewer.on('message', (message) => {
        if (message.kind.startsWith('mcp.response')) resolve(message.payload);
      });
    });
    await reviewer.send({
      kind: 'mcp.request.tools/call',
      to: ['raw'],
      correlationId: proposal.id,
      payload: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'raw/read', arguments: {} } },
    });
    expect(await answered).toMatchObject({ error: { message: expect.stringContaining('not proposed') } });
    expect(client.calls()).toEqual([]);
    await proposal.fulfil();
    await client.answer(1);
    expect(client.calls().map(argumentsOf)).toEqual([{ path: '/asked' }]);
  });

  it('covers what was shown: only protocol keys of _meta reach the server, which is logged once', async () => {
    await using space = await startSpace();
    await using reviewer = await space.join('reviewer');
    const next = proposalsFor(reviewer);
    const said: string[] = [];
    const log = (line: string): void => void said.push(line);
    const rules = 'default: ask\nrules: [{ action: allow, match: { tool: read } }]';
    await using client = await connectRaw(space, { answer, rules, log });
    const meta = { traceparent: '00-1-2-01', 'example.com/force': true };
    for (const id of [1, 2]) {
      client.send({ id, method: 'tools/call', params: { ...write(`/${id}`), _meta: meta } });
      const { params, fulfil } = await next();
      expect(params).toEqual({ name: 'raw/write', arguments: { path: `/${id}` } });
      await fulfil();
      await client.answer(id);
    }
    const ran = { traceparent: '00-1-2-01' };
    expect(client.calls().map(({ params }) => params)).toEqual([
      { ...write('/1'), _meta: ran },
      { ...write('/2'), _meta: ran },
    ]);
    expect(said.filter((line) => line.includes('_meta'))).toEqual([
      expect.stringContaining('"example.com/force"'),
    ]);
    client.send({ id: 3, method: 'tools/call', params: { name: 'read', _meta: meta } });
    await client.answer(3);
    expect(client.calls().at(-1)).toMatchObject({ params: { name: 'read', _meta: meta } });
  });

  it('of another proposal does not accept a changed tool', async () => {
    await using space = await startSpace();
    await using reviewer = await space.join('reviewer');
    const next = proposalsFor(reviewer);
    let description = 'as it was';
    await using client = await connectRaw(space, {
      rules: 'default: allow\nrules: [{ action: ask, match: { tool: read } }]',
      answer: ({ method }) =>
        method === 'tools/list'
          ? { result: { tools: [{ name: 'write', description }, { name: 'read' }] } }
          : { result: { content: [] } },
    });
    client.send({ id: 1, method: 'tools/list' });
    await client.answer(1);
    description = 'changed';
    client.send({ id: 2, method: 'tools/list' });
    await client.answer(2);
    const trust = await next();
    client.send({ id: 3, method: 'tools/call', params: { name: 'read', arguments: {} } });
    const other = await next();
    const answered = new Promise<JsonObject>((resolve) => {
      reviewer.on('message', (message) => {
        if (message.kind.startsWith('mcp.response')) resolve(message.payload);
      });
    });
    await reviewer.send({
      kind: 'mcp.request.tools/call',
      to: ['raw'],
      correlationId: other.id,
      payload: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: trust.params },
    });
    expect(await answered).toMatchObject({
      error: { message: expect.stringContaining('Nothing was accepted') },
    });
  });
});

describe('next round of an approved call (2026-07-28)', () => {
  const meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
  const inRounds = ({ method, params }: JsonObject): JsonObject => {
    if (method === 'tools/list') return listOf('write');
    if ((params as JsonObject)['requestState'] === undefined)
      return { result: { resultType: 'input_required', requestState: 'state', inputRequests: {} } };
    return { result: { resultType: 'complete', content: [{ type: 'text', text: 'ran' }] } };
  };
  const round = (path: string) => ({
    ...write(path),
    requestState: 'state',
    inputResponses: {},
    _meta: meta,
  });
  const NOT_ETC =
    'default: ask\nrules: [{ action: deny, match: { tool: write, arguments: { path: /etc/** } } }]';

  it('runs with the approved arguments, even if the caller repeats its own', async () => {
    await using space = await startSpace();
    await using reviewer = await space.join('reviewer');
    const next = proposalsFor(reviewer);
    await using client = await connectRaw(space, { answer: inRounds, rules: NOT_ETC });
    client.send({ id: 1, method: 'tools/call', params: { ...write('/asked'), _meta: meta } });
    await (await next()).fulfil({ name: 'raw/write', arguments: { path: '/edited' } });
    await client.answer(1);
    client.send({ id: 2, method: 'tools/call', params: round('/asked') });
    const { result } = await client.answer(2);
    expect(client.calls().map(argumentsOf)).toEqual([{ path: '/edited' }, { path: '/edited' }]);
    expect(textOf(result as object)).toContain('path: "/asked" → "/edited"');
  });

  it('is denied or refused with other arguments', async () => {
    await using space = await startSpace();
    await using reviewer = await space.join('reviewer');
    const next = proposalsFor(reviewer);
    await using client = await connectRaw(space, { answer: inRounds, rules: NOT_ETC });
    client.send({ id: 1, method: 'tools/call', params: { ...write('/asked'), _meta: meta } });
    await (await next()).fulfil();
    await client.answer(1);
    client.send({ id: 2, method: 'tools/call', params: round('/etc/passwd') });
    expect(await client.answer(2)).toMatchObject({
      result: { _meta: { [OUTCOME_KEY]: { code: 'denied' } } },
    });
    client.send({ id: 3, method: 'tools/call', params: round('/other') });
    expect(await client.answer(3)).toMatchObject({ error: { code: -32_602 } });
    expect(client.participant.pending).toEqual([]);
    expect(client.calls()).toHaveLength(1);
  });

  it('belongs to its owner, and is good for one call', () => {
    const rounds = new NextRounds();
    const owner = {};
    const about = {
      tool: 'write',
      asked: { path: '/a' },
      approved: { path: '/b' },
      by: 'r',
      edit: [],
      owner,
    };
    rounds.expect(about, { resultType: 'input_required', requestState: 's' });
    const again = { tool: 'write', arguments: { path: '/a' }, params: { requestState: 's' } };
    expect(rounds.take(again, {})).toBeUndefined();
    expect(rounds.take(again, owner)).toEqual({ round: about, isTaken: false });
    expect(rounds.take(again, owner)).toEqual({ round: about, isTaken: true });
  });
});

it('delivers the outcome to others if one caller cannot be reached', () => {
  const facts = { id: 'p', key: 'k', tool: 't', arguments: {}, createdAt: 0 };
  const gated = new OwnCall(askedCall(facts, 0), { clock: createTestClock(), window: 1 });
  const heard: string[] = [];
  const run = () => Promise.reject(new Error('never'));
  gated.join({
    run,
    settle: () => {
      throw new Error('broken');
    },
  });
  gated.join({ run, settle: ({ type }) => heard.push(type) > 0 });
  gated.tell({ type: 'expire' });
  expect(heard).toEqual(['expired']);
});
