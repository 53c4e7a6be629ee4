import { setImmediate, setTimeout } from 'node:timers/promises';
import { type Envelope, mayBeRemoved, PROTOCOL } from '@proffer/core';
import { createMemoryJournal, type Journal, type StoredRecord } from '@proffer/journal';
import { describe, expect, it } from 'vitest';
import { journalWith } from '../../testing/journals.js';
import { chat, proposal, withdrawal } from '../../testing/messages.js';
import { post } from '../../testing/peers/http.js';
import { connectPeer } from '../../testing/peers/peer.js';
import { startTestGateway } from '../../testing/test-gateway.js';
import { createOriginals } from './original.js';

/** A journal with slow lookups that reports what is read, how often, and how many at a time. */
function watched(
  journal: Journal,
  milliseconds = 0,
): {
  readonly journal: Journal;
  readonly reads: { all: number; most: number; readonly streams: string[] };
} {
  const reads = { all: 0, most: 0, streams: [] as string[] };
  let now = 0;
  async function* read(...given: Parameters<Journal['read']>): AsyncGenerator<StoredRecord> {
    reads.all++;
    reads.streams.push(given[0]);
    reads.most = Math.max(reads.most, ++now);
    try {
      await setTimeout(milliseconds);
      yield* journal.read(...given);
    } finally {
      now--;
    }
  }
  return { journal: journalWith(journal, { read }), reads };
}

function sentBy(from: string): Envelope {
  return { protocol: PROTOCOL, id: '', ts: '', from, kind: 'chat.message', payload: {} };
}

describe('repeated message', () => {
  it('O-3, I-7: gets the same answer each time, and is looked up in the journal once', async () => {
    const { journal, reads } = watched(createMemoryJournal());
    await using gateway = await startTestGateway('dev: true', journal);
    await using agent = await connectPeer(gateway.ws, 'agent');
    const { seq } = await agent.say(chat('c1'));
    for (let count = 0; count < 100; count++) {
      expect(await agent.say(chat('c1'))).toMatchObject({ seq, payload: { text: 'hello' } });
    }
    expect(await post(gateway.http, 'agent', chat('c1'))).toMatchObject({
      body: { status: 'duplicate', seq },
    });
    expect(reads.all).toBe(1);
  });

  it('O-3: with other content, or from someone else, stays a conflict when the first one is stored', async () => {
    await using gateway = await startTestGateway();
    await using agent = await connectPeer(gateway.ws, 'agent');
    await using reviewer = await connectPeer(gateway.ws, 'reviewer');
    await agent.say(chat('c1'));
    await agent.say(chat('c1'));
    agent.send(chat('c1', 'something else'));
    expect(await agent.error('c1')).toMatchObject({ error: 'id_conflict' });
    reviewer.send(chat('c1'));
    expect(await reviewer.error('c1')).toMatchObject({ error: 'id_conflict' });
  });

  it('I-7: is looked up one at a time per sender, in order; nobody else waits for that', async () => {
    const { journal, reads } = watched(createMemoryJournal());
    await using gateway = await startTestGateway('dev: true', journal);
    await using agent = await connectPeer(gateway.ws, 'agent');
    await using again = await connectPeer(gateway.ws, 'agent');
    await using reviewer = await connectPeer(gateway.ws, 'reviewer');
    const ids = Array.from({ length: 100 }, (_, index) => `c${index}`);
    for (const id of ids) await agent.say(chat(id));
    const from = agent.messages.length;
    for (const id of ids) agent.send(chat(id));
    for (const id of ids) again.send(chat(id));
    await agent.say(chat('c99'));
    expect(reads.most).toBe(1);
    // Those after one that is looked up are read with it.
    expect(reads.all).toBeLessThanOrEqual(4);
    expect(agent.messages.slice(from).map(({ id }) => id)).toEqual([...ids, 'c99']);
    for (const id of ids) agent.send(chat(`${id} anew`));
    for (const id of ids) agent.send(chat(`${id} anew`));
    await reviewer.say(chat('r1'));
  });

  it.each([
    ['pauses after a slow lookup, and nobody else waits for that', false, ['p1', 'r1', 'p2']],
    ['does not pause when it is hurried', true, ['p1', 'p2', 'r1']],
  ])('I-7: a sender %s', async (_, isHurried, order) => {
    const { journal, reads } = watched(createMemoryJournal(), 30);
    const originals = createOriginals(journal, () => isHurried);
    const find = (from: string, id: string): Promise<unknown> =>
      originals.find({ ...sentBy(from), id }, [{ stream: id, version: 1, from, fingerprint: '' }]);
    const first = find('agent', 'p1');
    const second = find('agent', 'p2');
    await first;
    await setImmediate();
    await Promise.all([second, find('reviewer', 'r1')]);
    expect(reads.streams).toEqual(order);
  });

  it('O-3: is not answered from what was stored of the first after retention removed that', async () => {
    const journal = createMemoryJournal();
    const clock = { now: Date.now() - 60_000 };
    await using gateway = await startTestGateway('dev: true', journal, () => clock.now);
    await post(gateway.http, 'agent', proposal('p1'));
    await post(gateway.http, 'agent', withdrawal('w1', 'p1'));
    expect(await post(gateway.http, 'agent', proposal('p1'))).toMatchObject({
      body: { status: 'duplicate' },
    });
    clock.now += 60_000;
    await journal.compact({ before: clock.now, keep: (last) => !mayBeRemoved(last) });
    expect(await post(gateway.http, 'agent', proposal('p1'))).toMatchObject({ code: 'id_conflict' });
  });
});
