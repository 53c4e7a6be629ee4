import { askedCall, OwnCall } from '@proffer/client/own-calls';
import type { JsonObject } from '@proffer/core/json';
import { describe, expect, it } from 'vitest';
import { startSpace } from '../../testing/space.js';
import { createTestClock } from '../../testing/test-clock.js';
import { connectRaw, listOf } from '../testing/raw-client.js';
import { CallLimits } from './known-calls.js';
import type { GatedCall } from './propose-call.js';

function gated(id: string, args: JsonObject): GatedCall {
  const facts = { id, key: id, tool: 'pay', arguments: args, createdAt: 0 };
  return new OwnCall(askedCall(facts, 0), { clock: createTestClock(), window: 1 });
}

describe('I-7: waiting calls', () => {
  it('have room for 64 Mi characters of arguments in all, and again when some are finished', () => {
    const room = new CallLimits();
    const args = { text: 'x'.repeat(1_000_000) };
    const calls = Array.from({ length: 67 }, (_, index) => gated(String(index), args));
    for (const call of calls) {
      expect(room.limitOn(args)).toBeUndefined();
      room.enter(call);
    }
    expect(room.limitOn(args)).toContain('67 calls with 67000737 characters');
    expect(room.limitOn({})).toBeUndefined();
    for (const call of calls.slice(0, 2)) room.leave(call);
    expect(room.limitOn(args)).toBeUndefined();
  });

  it('carry at most 262,144 characters besides their arguments: otherwise nobody is asked', async () => {
    await using space = await startSpace();
    await using client = await connectRaw(space, { answer: () => listOf('pay') });
    const send = (id: string, text: string, meta: JsonObject = {}) =>
      client.send({ id, method: 'tools/call', params: { name: 'pay', arguments: { text }, _meta: meta } });
    send('beside', 'one', { own: 'x'.repeat(300_000) });
    expect(await client.answer('beside')).toMatchObject({
      result: { isError: true, _meta: { 'proffer/outcome': { code: 'unavailable' } } },
    });
    expect(client.participant.pending).toEqual([]);
  });
});

describe('I-7: requests that the server does not answer', () => {
  it('are limited to 10,000 per connection, with ids of at most 1,024 characters', async () => {
    await using space = await startSpace();
    const answer = ({ method }: JsonObject) => (method === 'tools/list' ? listOf('pay') : undefined);
    await using client = await connectRaw(space, { answer });
    for (let index = 0; index < 10_000; index++) client.send({ id: index, method: 'ping' });
    client.send({ id: 'one more', method: 'ping' });
    expect(await client.answer('one more')).toMatchObject({
      error: { message: expect.stringContaining('10000 requests of this connection are still unanswered') },
    });
    client.send({ method: 'notifications/cancelled', params: { requestId: 7 } });
    client.send({ id: 'x'.repeat(1_025), method: 'ping' });
    expect(await client.answer('x'.repeat(1_025))).toMatchObject({ error: { code: -32_600 } });
    client.send({ id: 'now', method: 'ping' });
    await expect.poll(() => client.server.got.some(({ id }) => id === 'now')).toBe(true);
  });
});
