import { join } from 'node:path';
import type { JsonObject } from '@proffer/core/json';
import { decideByRules, defaultRules } from '@proffer/steward';
import { describe, expect, it } from 'vitest';
import { proposalsFor } from '../../testing/deciding.js';
import { startSpace, type TestSpace } from '../../testing/space.js';
import { connectRaw, type RawClient, type RawClientOptions } from '../testing/raw-client.js';
import { createPinFile } from './pin-file.js';

const READ = { name: 'read', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } };
const BOTH = { name: 'both', annotations: { readOnlyHint: true, destructiveHint: true } };
const PLAIN = { name: 'plain', annotations: { title: 'Plain', destructiveHint: true } };
const SOURCE = { program: 'npx @scope/server-files', version: '1.2.3' };

/** A guard with the default rules, in front of a server that describes its tools. */
async function guardOf(
  space: TestSpace,
  {
    tools = [READ, BOTH, PLAIN],
    ...more
  }: Partial<RawClientOptions> & { tools?: readonly JsonObject[] } = {},
): Promise<RawClient> {
  const rules = defaultRules();
  const client = await connectRaw(space, {
    decide: (call) => decideByRules(rules, call),
    source: SOURCE,
    answer: ({ method }) => {
      if (method === 'initialize') return { result: { serverInfo: { name: 'files', version: '9.9' } } };
      return method === 'tools/list'
        ? { result: { tools } }
        : { result: { content: [{ type: 'text', text: 'ran' }] } };
    },
    ...more,
  });
  client.send({ id: 'hello', method: 'initialize', params: {} });
  await client.answer('hello');
  client.send({ id: 'list', method: 'tools/list' });
  await client.answer('list');
  return client;
}

let calls = 0;
const call = (client: RawClient, name: string): number => {
  client.send({ id: ++calls, method: 'tools/call', params: { name, arguments: { call: calls } } });
  return calls;
};
const runs = async (client: RawClient, name: string): Promise<void> => {
  expect(await client.answer(call(client, name))).toMatchObject({ result: { content: [{ text: 'ran' }] } });
};

describe("a server's hints", () => {
  it('count only after somebody trusted them, once, with the package and the version', async () => {
    await using space = await startSpace();
    await using reviewer = await space.join('reviewer');
    const next = proposalsFor(reviewer);
    await using client = await guardOf(space);
    const question = await next();
    expect(question).toMatchObject({
      params: {
        name: 'raw/proffer_trust',
        arguments: {
          tool: '*',
          is: { title: SOURCE.program, version: '1.2.3', callsItself: 'files 9.9', onlyReads: ['read'] },
        },
      },
    });
    expect(question.params?.['arguments']).not.toHaveProperty('was');
    call(client, 'read');
    const asked = await next();
    expect(asked.params).toMatchObject({ name: 'raw/read' });
    expect(client.calls()).toEqual([]);

    await question.fulfil();
    await runs(client, 'read');
    await runs(client, 'read');
    await asked.reject('unsafe');
    await expect.poll(() => reviewer.pending).toEqual([]);
  });

  it('count after a restart, for the same program, and are asked about for another', async () => {
    await using space = await startSpace();
    await using reviewer = await space.join('reviewer');
    const next = proposalsFor(reviewer);
    const first = await guardOf(space);
    await (await next()).fulfil();
    await first[Symbol.asyncDispose]();

    const second = await guardOf(space, { source: { ...SOURCE, version: '2.0.0' } });
    await runs(second, 'read');
    expect(reviewer.pending).toEqual([]);
    await second[Symbol.asyncDispose]();

    await using third = await guardOf(space, { source: { program: 'npx evil' } });
    expect((await next()).params).toMatchObject({
      arguments: { was: { title: SOURCE.program }, is: { title: 'npx evil' } },
    });
    call(third, 'read');
    expect((await next()).params).toMatchObject({ name: 'raw/read' });
  });

  it('that were rejected do not count, and are not asked about again after a restart', async () => {
    await using space = await startSpace();
    await using reviewer = await space.join('reviewer');
    const next = proposalsFor(reviewer);
    const first = await guardOf(space);
    await (await next()).reject('unsafe');
    await expect.poll(() => reviewer.pending).toEqual([]);
    await first[Symbol.asyncDispose]();
    await using second = await guardOf(space);
    call(second, 'read');
    expect((await next()).params).toMatchObject({ name: 'raw/read' });
  });

  it('that say both are not believed: what may destroy something is never only reading', async () => {
    await using space = await startSpace();
    await using reviewer = await space.join('reviewer');
    const next = proposalsFor(reviewer);
    await using client = await guardOf(space);
    await (await next()).fulfil();
    await runs(client, 'read');
    call(client, 'both');
    expect((await next()).params).toMatchObject({ name: 'raw/both' });
  });

  it('are for the rules to trust or to ignore, and then nobody is asked', async () => {
    await using space = await startSpace();
    await using reviewer = await space.join('reviewer');
    const next = proposalsFor(reviewer);
    const trusting = await guardOf(space, { hints: () => true });
    await runs(trusting, 'read');
    expect(reviewer.pending).toEqual([]);
    await trusting[Symbol.asyncDispose]();
    await using ignoring = await guardOf(space, { hints: () => false });
    call(ignoring, 'read');
    expect((await next()).params).toMatchObject({ name: 'raw/read' });
  });

  it('are announced to reviewers only when they count', async () => {
    await using space = await startSpace();
    await using reviewer = await space.join('reviewer');
    const next = proposalsFor(reviewer);
    await using _ = await guardOf(space);
    const question = await next();
    const announced = (tool: string): unknown => {
      const { serves } = reviewer.participants.find(({ id }) => id === 'raw') ?? {};
      const { tools = [] } = (serves ?? {}) as { readonly tools?: readonly JsonObject[] };
      return tools.find(({ name }) => name === `raw/${tool}`)?.['annotations'];
    };
    await expect.poll(() => announced('plain')).toEqual({ title: 'Plain' });
    expect(announced('read')).toEqual({});
    await question.fulfil();
    await expect.poll(() => announced('read')).toEqual({ readOnlyHint: true });
  });

  it('are not asked about if there are none that matter', async () => {
    await using space = await startSpace();
    await using reviewer = await space.join('reviewer');
    const next = proposalsFor(reviewer);
    await using client = await guardOf(space, { tools: [PLAIN] });
    call(client, 'plain');
    expect((await next()).params).toMatchObject({ name: 'raw/plain' });
    expect(createPinFile(join(space.folder, 'raw-pins.json')).load().has('*')).toBe(false);
  });
});
