import { join } from 'node:path';
import { type IncomingProposal, OperationFailedError, ProposalNotPendingError } from '@proffer/client';
import type { JsonObject } from '@proffer/core/json';
import { describe, expect, it } from 'vitest';
import { proposalsFor } from '../../testing/deciding.js';
import { startSpace, type TestSpace } from '../../testing/space.js';
import { createTestClock } from '../../testing/test-clock.js';
import { connectRaw, type RawClient, type RawClientOptions } from '../testing/raw-client.js';
import { createPinFile } from './pin-file.js';
import { pinDigest } from './tool-pins.js';

const tool = (description: string, name = 'write') => ({ name, description });

/** A server whose tools the test defines, and a guard that allows everything. */
async function guardShowing(
  space: TestSpace,
  first: readonly JsonObject[],
  options?: Partial<RawClientOptions>,
) {
  const now = { tools: first };
  const answer = ({ method }: JsonObject): JsonObject =>
    method === 'tools/list'
      ? { result: { tools: now.tools } }
      : { result: { content: [{ type: 'text', text: 'ran' }] } };
  const client = await connectRaw(space, { rules: 'default: allow', answer, ...options });
  let lists = 0;
  const show = async (...tools: readonly JsonObject[]): Promise<void> => {
    now.tools = tools;
    const id = `list${lists++}`;
    client.send({ id, method: 'tools/list' });
    await client.answer(id);
  };
  await show(...first);
  return { client, show };
}

async function runs(client: RawClient, id: number): Promise<void> {
  client.send({ id, method: 'tools/call', params: { name: 'write', arguments: { id } } });
  expect(await client.answer(id)).toMatchObject({ result: { content: [{ text: 'ran' }] } });
}

const about = ({ params = {} }: Pick<IncomingProposal, 'params'>) => {
  const { was, is } = params['arguments'] as { readonly was: JsonObject; readonly is: JsonObject };
  return [was['description'], is['description']];
};

describe('question about a changed tool', () => {
  it('is asked again for each change, even one that was accepted before', async () => {
    await using space = await startSpace();
    await using reviewer = await space.join('reviewer');
    const next = proposalsFor(reviewer);
    const { client, show } = await guardShowing(space, [tool('A')]);
    await using _ = client;
    for (const [was, is] of [
      ['A', 'B'],
      ['B', 'A'],
      ['A', 'B'],
    ]) {
      await show(tool(is ?? ''));
      const trust = await next();
      expect(about(trust)).toEqual([was, is]);
      await trust.fulfil();
    }
    await runs(client, 1);
  });

  it('is asked again when a tool returns to a rejected version, and can be accepted then', async () => {
    await using space = await startSpace();
    await using reviewer = await space.join('reviewer');
    const next = proposalsFor(reviewer);
    const { client, show } = await guardShowing(space, [tool('A')]);
    await using _ = client;
    await show(tool('B'));
    await (await next()).reject('unsafe');
    await expect.poll(() => reviewer.pending).toEqual([]);
    await show(tool('A'));
    await runs(client, 1);
    await show(tool('B'));
    await (await next()).fulfil();
    await runs(client, 2);
  });

  it('is asked again a day after a rejection, while the tool stays changed', async () => {
    await using space = await startSpace();
    await using reviewer = await space.join('reviewer');
    const next = proposalsFor(reviewer);
    const clock = createTestClock(Date.now());
    const { client, show } = await guardShowing(space, [tool('A')], { clock });
    await using _ = client;
    await show(tool('B'));
    const first = await next();
    await first.reject('unsafe');
    await expect.poll(() => reviewer.pending).toEqual([]);
    clock.pass(23 * 3_600_000);
    await show(tool('B'));
    await client.participant.chat('nothing was asked');
    expect(reviewer.pending).toEqual([]);
    clock.pass(3_600_000);
    await show(tool('B'));
    const again = await next();
    expect(again.id).not.toBe(first.id);
    expect(about(again)).toEqual(['A', 'B']);
  });

  it('is the same after a restart, and a rejection persists', async () => {
    await using space = await startSpace();
    await using reviewer = await space.join('reviewer');
    const next = proposalsFor(reviewer);
    const first = await guardShowing(space, [tool('A')]);
    await first.show(tool('B'));
    const asked = await next();
    await first.client[Symbol.asyncDispose]();

    const second = await guardShowing(space, [tool('B')]);
    expect(reviewer.pending.map(({ id }) => id)).toEqual([asked.id]);
    await asked.reject('unsafe');
    await expect.poll(() => reviewer.pending).toEqual([]);
    await second.client[Symbol.asyncDispose]();

    const third = await guardShowing(space, [tool('B')]);
    await using client = third.client;
    await client.participant.chat('nothing was asked');
    expect(reviewer.pending).toEqual([]);
    client.send({ id: 1, method: 'tools/call', params: { name: 'write' } });
    expect((await next()).params).toMatchObject({ name: 'raw/write' });
  });

  it('can be answered after a restart before the server has shown anything', async () => {
    await using space = await startSpace();
    await using reviewer = await space.join('reviewer');
    const next = proposalsFor(reviewer);
    const first = await guardShowing(space, [tool('A')]);
    await first.show(tool('B'));
    const asked = await next();
    await first.client[Symbol.asyncDispose]();
    const { client } = await guardShowing(space, [tool('other', 'other')]);
    await using _ = client;
    await asked.fulfil();
    const pins = createPinFile(join(space.folder, 'raw-pins.json')).load();
    expect(pins.get('write')).toEqual({ definition: tool('B') });
  });

  it('is withdrawn when the tool returns to its pin, or changes again', async () => {
    await using space = await startSpace();
    await using reviewer = await space.join('reviewer');
    const next = proposalsFor(reviewer);
    const { client, show } = await guardShowing(space, [tool('A')]);
    await using _ = client;
    await show(tool('B'));
    const outdated = await next();
    await show(tool('C'));
    const current = await next();
    expect(about(current)).toEqual(['A', 'C']);
    await expect.poll(() => reviewer.pending.map(({ id }) => id)).toEqual([current.id]);
    await expect(outdated.fulfil()).rejects.toBeInstanceOf(ProposalNotPendingError);
    await show(tool('A'));
    await expect.poll(() => reviewer.pending).toEqual([]);
    await runs(client, 1);
  });

  it('of another run is withdrawn if it is obsolete, so that calls find room', async () => {
    await using space = await startSpace('dev: true\nlimits: { pending_proposals_per_participant: 150 }');
    await using reviewer = await space.join('reviewer');
    const next = proposalsFor(reviewer);
    await using before = await space.join('raw');
    const asked = Array.from({ length: 150 }, (_, index) =>
      before.propose('tools/call', {
        name: 'raw/proffer_trust',
        arguments: { tool: 'write', was: tool('A'), is: tool(`B${index}`) },
      }),
    );
    for (const proposal of asked) proposal.catch(() => {});
    await Promise.all(asked.map(({ accepted }) => accepted));
    for (const _ of asked) await next();
    await before.close();
    const { client } = await guardShowing(space, [tool('A')], { rules: 'default: ask' });
    await using _ = client;
    client.send({ id: 1, method: 'tools/call', params: { name: 'write' } });
    expect((await next()).params).toMatchObject({ name: 'raw/write' });
    await expect.poll(() => reviewer.pending).toHaveLength(1);
  });

  it('is answered only by the approval of this very proposal', async () => {
    await using space = await startSpace();
    await using reviewer = await space.join('reviewer');
    const next = proposalsFor(reviewer);
    const { client, show } = await guardShowing(space, [tool('A')]);
    await using _ = client;
    await show(tool('B'));
    const trust = await next();
    const amended = { name: 'raw/proffer_trust', arguments: { tool: 'write', is: tool('C') } };
    await expect(trust.fulfil(amended)).rejects.toBeInstanceOf(OperationFailedError);
    const pins = createPinFile(join(space.folder, 'raw-pins.json')).load();
    expect(pins.get('write')?.definition).toEqual(tool('A'));
    // The answer had no effect, so it is asked again.
    expect(about(await next())).toEqual(['A', 'B']);
  });
});

describe('server that keeps changing its tools', () => {
  it('causes few questions, one at a time per tool, and few log lines', async () => {
    await using space = await startSpace();
    await using reviewer = await space.join('reviewer');
    const seen: string[] = [];
    reviewer.on('message', ({ id, kind }) => void (kind.startsWith('mcp.proposal.') && seen.push(id)));
    const lines: string[] = [];
    const clock = createTestClock(Date.now());
    const { client, show } = await guardShowing(space, [tool('A')], {
      clock,
      log: (line) => lines.push(line),
    });
    await using _ = client;
    await runs(client, 1);
    for (let version = 0; version < 50; version++) await show(tool(`B${version}`));
    await expect.poll(() => seen).toHaveLength(3);
    clock.pass(10_000);
    await expect.poll(() => seen).toHaveLength(4);
    await expect.poll(() => reviewer.pending).toHaveLength(1);
    expect(about(reviewer.pending[0] ?? {})).toEqual(['A', 'B49']);
    expect(lines).toHaveLength(4);
  });

  it('leaves room for calls, and the rest is asked when there is room again', async () => {
    await using space = await startSpace();
    await using reviewer = await space.join('reviewer');
    const next = proposalsFor(reviewer);
    const clock = createTestClock(Date.now());
    const all = (description: string) =>
      Array.from({ length: 150 }, (_, index) => tool(description, `t${index}`));
    const { client, show } = await guardShowing(space, all('A'), { clock });
    await using _ = client;
    await show(...all('B'));
    const asked: IncomingProposal[] = [];
    for (let count = 0; count < 100; count++) asked.push(await next());
    client.send({ id: 1, method: 'tools/call', params: { name: 't149' } });
    expect((await next()).params).toMatchObject({ name: 'raw/t149' });
    expect(new Set(asked.map(({ params }) => JSON.stringify(params)))).toHaveProperty('size', 100);
    await asked[0]?.fulfil();
    clock.pass(10_000);
    expect((await next()).params).toMatchObject({ arguments: { tool: 't100' } });
  });
});

describe('definition too large to ask about', () => {
  it('keeps the calls of its tool gated, which is reported', async () => {
    await using space = await startSpace();
    await using reviewer = await space.join('reviewer');
    const next = proposalsFor(reviewer);
    const lines: string[] = [];
    const { client, show } = await guardShowing(space, [tool('A')], { log: (line) => lines.push(line) });
    await using _ = client;
    await show(tool('x'.repeat(300_000)), tool('y'.repeat(300_000), 'large'));
    for (const [id, name] of ['write', 'large'].entries()) {
      client.send({ id, method: 'tools/call', params: { name } });
      const gated = await next();
      expect(gated.params).toMatchObject({ name: `raw/${name}` });
      await gated.fulfil();
      await client.answer(id);
    }
    await show(tool('x'.repeat(300_000)), tool('y'.repeat(300_000), 'large'));
    expect(lines.filter((line) => line.includes('Not all tools can be remembered'))).toHaveLength(1);
    expect(lines.filter((line) => line.includes('cannot be accepted'))).not.toEqual([]);
    const pins = createPinFile(join(space.folder, 'raw-pins.json')).load();
    expect([...pins.keys()]).toEqual(['write']);
    expect(pinDigest(pins.get('write')?.definition ?? {})).toBe(pinDigest(tool('A')));
  });
});
