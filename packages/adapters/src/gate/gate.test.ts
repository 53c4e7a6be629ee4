import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Message, Participant } from '@proffer/client';
import { observedIn } from '@proffer/core/operations';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { join, startTestGateway, type TestGateway } from '../testing/gateway.js';
import { createGate, type Gate, type GateOptions, NotRunError } from './index.js';

let gateway: TestGateway;
let reviewer: Participant;
const gates: Gate[] = [];

beforeAll(async () => {
  gateway = await startTestGateway();
  reviewer = await join(gateway, 'reviewer');
});
afterAll(async () => {
  await reviewer.close();
  await gateway[Symbol.asyncDispose]();
});
afterEach(async () => {
  for (const gate of gates.splice(0)) await gate.close();
});

function nested(depth: number): object {
  return depth === 0 ? {} : { deeper: nested(depth - 1) };
}

let count = 0;
function open(options: Partial<GateOptions> = {}): Gate {
  count += 1;
  const gate = createGate({ agent: `bot-${count}`, url: gateway.url, ...options });
  gates.push(gate);
  return gate;
}

/** The proposal for a tool, once it is pending. */
async function pending(tool: string) {
  await expect.poll(() => reviewer.pending.find(({ params }) => params?.['name'] === tool)).toBeDefined();
  const found = reviewer.pending.find(({ params }) => params?.['name'] === tool);
  if (found === undefined) throw new Error(`${tool} is gone`);
  return found;
}

describe('a gate', () => {
  it('O-50: in watch mode runs every call unasked, and records what would have been asked', async () => {
    const gate = open({ agent: 'watcher', mode: 'watch', needsApproval: ({ tool }) => tool !== 'look' });
    const ran = (tool: string) => gate.run({ tool, arguments: { to: 'a' }, callId: tool }, (args) => args);
    expect([await ran('look'), await ran('pay')]).toEqual([{ to: 'a' }, { to: 'a' }]);
    await gate.close();
    const headers = { authorization: 'Bearer reviewer' };
    const feed = await fetch(`${gateway.url.replace('ws', 'http')}/spaces/main/feed`, { headers });
    const { messages } = (await feed.json()) as { readonly messages: readonly Message[] };
    const own = messages.filter(({ from }) => from === 'watcher');
    expect(own.filter(({ kind }) => kind.startsWith('mcp.'))).toEqual([]);
    expect(own.flatMap(({ payload }) => observedIn(payload, 0))).toMatchObject([
      { would: 'ask', tool: 'pay', arguments: { to: 'a' } },
    ]);
    const away = open({ mode: 'watch', url: 'ws://127.0.0.1:9', timeout: 50, retry: { delay: 1 } });
    expect(await away.run({ tool: 'pay', arguments: {}, callId: '1' }, () => 'paid')).toBe('paid');
  });

  it('O-13, O-26: runs an approved call once, with the arguments as approved, and records the result', async () => {
    const gate = open({ folder: '/srv/app', session: 's-1' });
    const ran: unknown[] = [];
    const running = gate.run({ tool: 'pay', arguments: { amount: 5 }, callId: 'c1' }, (args) => {
      ran.push(args);
      return { paid: args };
    });
    const proposal = await pending('pay');
    const result = await reviewer.fulfil(proposal, { name: 'pay', arguments: { amount: 4 } });
    expect(await running).toEqual({ paid: { amount: 4 } });
    expect(ran).toEqual([{ amount: 4 }]);
    expect(result).toMatchObject({ structuredContent: { output: { paid: { amount: 4 } } } });
  });

  it('O-29: runs a call approved by digest, with the approved arguments', async () => {
    const running = open().run({ tool: 'ship', arguments: { to: 'a' }, callId: 'c1' }, (args) => args);
    await reviewer.approve(await pending('ship'), { params: { name: 'ship', arguments: { to: 'b' } } });
    expect(await running).toEqual({ to: 'b' });
  });

  it('O-41: runs calls granted for its session without asking', async () => {
    const [agent, session] = ['trusted', 's-1'];
    await reviewer.grant(agent, ['mcp.request.tools/call:fetch'], { session });
    const call = { tool: 'fetch', arguments: { url: 'x' }, callId: 'c1' };
    const gate = open({ agent, session });
    expect(await gate.decide(call)).toMatchObject({ type: 'approved', by: 'reviewer', edited: false });
    expect(await gate.run(call, () => 'fetched')).toBe('fetched');
    const elsewhere = open({ agent, session: 's-2' }).run(call, () => 'fetched');
    await reviewer.reject((await pending('fetch')).id, 'unsafe');
    await expect(elsewhere).rejects.toThrow(NotRunError);
  });

  it('O-31: does not run a rejected call, and tells the model why', async () => {
    const running = open().run({ tool: 'drop', arguments: {}, callId: 'c1' }, () => 'ran');
    const { id } = await pending('drop');
    await reviewer.reject(id, 'unsafe', 'Not on a Friday.');
    await expect(running).rejects.toThrow(NotRunError);
    await expect(running).rejects.toThrow('reviewer rejected this call: “Unsafe: Not on a Friday.”');
  });

  it('I-2, O-12: if two processes resume the same call, one runs it', async () => {
    const [one, other] = [open({ agent: 'twin', session: 's' }), open({ agent: 'twin', session: 's' })];
    const ran: string[] = [];
    const call = { tool: 'launch', arguments: {}, callId: 'c1' };
    // One of them fails as soon as the other one has begun.
    const runs = Promise.allSettled(
      [one, other].map((gate, index) =>
        gate.run(call, async () => {
          ran.push(`${index}`);
          return 'launched';
        }),
      ),
    );
    const proposal = await pending('launch');
    await expect.poll(() => reviewer.participants.some(({ id }) => id === 'twin')).toBe(true);
    await reviewer.fulfil(proposal).catch(() => {});
    const ends = await runs;
    expect(ran).toHaveLength(1);
    expect(ends.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });

  it('I-2: runs the same call made twice in one process only once', async () => {
    const gate = open();
    const call = { tool: 'double', arguments: {}, callId: 'c1' };
    const finish: (() => void)[] = [];
    const first = gate.run(call, () => new Promise<string>((resolve) => finish.push(() => resolve('done'))));
    const fulfilling = reviewer.fulfil(await pending('double'));
    await expect.poll(() => finish.length).toBe(1);
    await expect(gate.run(call, () => 'again')).rejects.toThrow('already running');
    finish[0]?.();
    expect(await first).toBe('done');
    expect(await fulfilling).toMatchObject({ structuredContent: { output: 'done' } });
  });

  it('I-4: needs no more rights than the guides give an agent', async () => {
    const hash = (token: string) => `sha256:${createHash('sha256').update(token).digest('hex')}`;
    const [bot, ann] = ['b'.repeat(32), 'a'.repeat(32)];
    const guide = await readFile(
      new URL('../../../../docs/guides/approve-ai-sdk-tools.md', import.meta.url),
      'utf8',
    );
    const [, yaml = ''] = /```yaml\n(participants:.*?)```/s.exec(guide) ?? [];
    const people = `  ann: { tokens: ['${hash(ann)}'], spaces: { main: ['*'] } }\n`;
    await using strict = await startTestGateway(yaml.replace('sha256:…', hash(bot)) + people);
    await using decider = await join(strict, ann);
    const running = open({ url: strict.url, token: bot }).run(
      { tool: 'pay', arguments: {}, callId: 'c1' },
      () => 'paid',
    );
    await expect.poll(() => decider.pending.length).toBe(1);
    const [proposal] = decider.pending;
    if (proposal !== undefined) await decider.fulfil(proposal);
    expect(await running).toBe('paid');
  });

  it('O-23: does not rerun a call that a dead process started', async () => {
    const call = { tool: 'erase', arguments: {}, callId: 'c1' };
    const killed = open({ agent: 'phoenix', session: 's' });
    const admitting = killed.admit(call);
    const fulfilling = reviewer.fulfil(await pending('erase'));
    fulfilling.catch(() => {});
    expect(await admitting).toMatchObject({ type: 'approved' });
    await killed.close();
    const resumed = open({ agent: 'phoenix', session: 's' });
    await expect(resumed.run(call, () => 'ran')).rejects.toThrow('Nobody knows whether this call ran');
    await expect(fulfilling).rejects.toThrow('is unknown');
  });

  it('I-1: returns the recorded result to a resumed process', async () => {
    const call = { tool: 'count', arguments: {}, callId: 'c1' };
    const first = open({ agent: 'lazarus', session: 's' });
    const running = first.run(call, () => ({ count: 7 }));
    await reviewer.fulfil(await pending('count'));
    expect(await running).toEqual({ count: 7 });
    await first.close();
    const resumed = open({ agent: 'lazarus', session: 's' });
    expect(await resumed.run(call, () => ({ count: 8 }))).toEqual({ count: 7 });
  });

  it('O-23: answers the approval of an abandoned call: nothing was run', async () => {
    const dead = open({ agent: 'ghost', session: 'old' });
    void dead.decide({ tool: 'haunt', arguments: {}, callId: 'c1' });
    const proposal = await pending('haunt');
    await dead.close();
    const alive = open({ agent: 'ghost', session: 'new' });
    void alive.decide({ tool: 'live', arguments: {}, callId: 'c1' });
    await pending('live');
    await expect(reviewer.fulfil(proposal)).rejects.toThrow('Nothing was run');
  });

  it('records a failing tool as failed, and fails the same way', async () => {
    const running = open().run({ tool: 'burst', arguments: {}, callId: 'c1' }, () => {
      throw new Error('The pipe burst.');
    });
    const ends = await Promise.allSettled([
      running,
      pending('burst').then((found) => reviewer.fulfil(found)),
    ]);
    expect(ends).toMatchObject([
      { reason: { message: 'The pipe burst.' } },
      { reason: { message: 'The pipe burst.' } },
    ]);
  });

  it('says which agent, session and folder a call comes from, and why', async () => {
    const gate = open({ agent: 'scribe', version: '2.1', session: 's-1', folder: '/srv/app' });
    void gate.decide({ tool: 'note', arguments: {}, callId: 'c1', reason: 'To remember it.' });
    const { id } = await pending('note');
    const view = `${gateway.url.replace('ws:', 'http:')}/spaces/main/proposals/${id}`;
    const response = await fetch(view, { headers: { authorization: 'Bearer reviewer' } });
    expect(await response.json()).toMatchObject({
      proposal: { origin: { client: 'scribe', version: '2.1', session: 's-1', folder: '/srv/app' } },
      history: [{ message: { payload: { reason: 'To remember it.' } } }],
    });
  });

  it('runs nothing with an unknown token, and says why', async () => {
    const hash = createHash('sha256').update('x'.repeat(32)).digest('hex');
    const participants = `participants: { ann: { tokens: ['sha256:${hash}'], spaces: { main: ['*'] } } }`;
    await using strict = await startTestGateway(participants);
    const gate = open({ url: strict.url, token: 'wrong' });
    await expect(gate.run({ tool: 'x', arguments: {}, callId: 'c1' }, () => 'ran')).rejects.toThrow('token');
  });

  it.each([
    ['megabytes of arguments', { tool: 'x', arguments: { text: 'x'.repeat(3_000_000) } }],
    ['a tool with hidden characters in its name', { tool: 'pay\u202Eyap', arguments: {} }],
    ['a tool without a name', { tool: '', arguments: {} }],
    ['arguments nested a thousand deep', { tool: 'x', arguments: nested(1_000) }],
  ])('O-5: %s: does not run the call, and tells the model why', async (_, call) => {
    const running = open().run({ ...call, callId: 'c1' }, () => 'ran');
    await expect(running).rejects.toThrow('Not run: the gateway did not accept the proposal.');
  });

  it('neither asks about nor runs a call whose arguments are not JSON', async () => {
    const circle: { self?: unknown } = {};
    circle.self = circle;
    const running = open().run({ tool: 'x', arguments: circle, callId: 'c1' }, () => 'ran');
    await expect(running).rejects.toThrow(NotRunError);
  });
});
