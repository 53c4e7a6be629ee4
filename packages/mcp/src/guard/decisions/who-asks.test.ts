import type { JsonObject } from '@proffer/core/json';
import { describe, expect, it } from 'vitest';
import { startSpace } from '../../testing/space.js';
import { connectRaw, listOf } from '../testing/raw-client.js';

const RULES = `
default: allow
rules:
  - { name: not this one, action: deny, match: { client: "other-*", tool: act } }
  - { name: secrets, action: deny, reason: Secrets are not read., match: { resource: "file:///secrets/**" } }
  - { name: reviews, action: ask, match: { prompt: review_* } }
`;
const answer = ({ method }: JsonObject): JsonObject =>
  method === 'tools/list' ? listOf('act') : { result: { content: [], contents: [], messages: [] } };
const ask = (id: number, method: string, params: JsonObject): JsonObject => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
});
const begin = (name: string): JsonObject =>
  ask(1, 'initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name, version: '1' },
  });

describe('guard rules', () => {
  it('know the client, from its handshake or from each request', async () => {
    await using space = await startSpace();
    await using mine = await connectRaw(space, { rules: RULES, answer });
    mine.send(begin('mine'));
    mine.send(ask(2, 'tools/call', { name: 'act', arguments: {} }));
    expect(await mine.answer(2)).not.toMatchObject({ result: { isError: true } });
    const modern = { 'io.modelcontextprotocol/clientInfo': { name: 'other-client', version: '1' } };
    mine.send(ask(3, 'tools/call', { name: 'act', arguments: {}, _meta: modern }));
    expect(JSON.stringify(await mine.answer(3))).toContain('not this one');
    await using other = await mine.another(answer);
    other.send(begin('other-client'));
    other.send(ask(2, 'tools/call', { name: 'act', arguments: {} }));
    expect(JSON.stringify(await other.answer(2))).toContain('not this one');
  });

  it('apply to resources and prompts that they name, and to no others', async () => {
    await using space = await startSpace();
    await using client = await connectRaw(space, { rules: RULES, answer });
    client.send(ask(2, 'resources/read', { uri: 'file:///secrets/key' }));
    expect(await client.answer(2)).toMatchObject({
      error: { code: -32602, message: expect.stringContaining('Secrets are not read.') },
    });
    client.send(ask(3, 'prompts/get', { name: 'review_pr' }));
    expect(await client.answer(3)).toMatchObject({
      error: { message: expect.stringContaining('only about tools') },
    });
    client.send(ask(4, 'resources/read', { uri: 'file:///open/key' }));
    expect(await client.answer(4)).toMatchObject({ result: { contents: [] } });
    const reached = client.server.got.map(({ method }) => method);
    expect(reached.filter((method) => method === 'resources/read')).toHaveLength(1);
    expect(reached).not.toContain('prompts/get');
  });
});
