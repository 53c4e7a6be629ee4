import { refuse } from '@proffer/core';
import { createMemoryJournal, type Journal, JournalError } from '@proffer/journal';
import { describe, expect, it } from 'vitest';
import { createGate, type Gate, journalWith, shared } from '../testing/journals.js';
import { chat } from '../testing/messages.js';
import { ask } from '../testing/peers/http.js';
import { connectPeer, type Peer } from '../testing/peers/peer.js';
import { startTestGateway } from '../testing/test-gateway.js';

/** A journal whose history, once read to the end, ends only when the gate opens. */
function slowToEnd(journal: Journal): { journal: Journal; gates: Gate[] } {
  const gates: Gate[] = [];
  async function* slowly(feed: AsyncIterable<unknown>) {
    yield* feed;
    await gates.shift()?.opened;
  }
  const feed: Journal['feed'] = (space, after, options) => {
    const records = journal.feed(space, after, options);
    return options?.follow === false ? (slowly(records) as typeof records) : records;
  };
  return { journal: journalWith(journal, { feed }), gates };
}

const chats = (peer: Peer) => peer.messages.filter(({ kind }) => kind === 'chat.message').map(({ id }) => id);
const ids = (count: number) => Array.from({ length: count }, (_, index) => `c${index}`);

describe('returning client', () => {
  it.each([1, 255, 256, 257, 512])(
    'I-6: misses nothing that happens while it reads %i messages of history',
    async (count) => {
      const { journal, gates } = slowToEnd(createMemoryJournal());
      await using gateway = await startTestGateway('dev: true', journal);
      await using agent = await connectPeer(gateway.ws, 'agent');
      for (const id of ids(count)) agent.send(chat(id));
      await agent.next(({ id }) => id === `c${count - 1}`);
      const gate = createGate();
      gates.push(gate);
      await using late = await connectPeer(gateway.ws, 'reviewer', { after: '0' });
      for (const id of ids(count + 10).slice(count)) await agent.say(chat(id));
      gate.open();
      await agent.say(chat('last'));
      await late.next(({ id }) => id === 'last');
      expect(chats(late)).toEqual([...ids(count + 10), 'last']);
    },
  );

  it('I-6, O-3: sees no seq before those it missed when it resends unacknowledged messages', async () => {
    const { journal, gates } = slowToEnd(createMemoryJournal());
    await using gateway = await startTestGateway('dev: true', journal);
    await using agent = await connectPeer(gateway.ws, 'agent');
    await using reviewer = await connectPeer(gateway.ws, 'reviewer');
    for (const id of ids(10)) await agent.say(chat(id));
    const gate = createGate();
    gates.push(gate);
    // Nothing of the history is written yet when the message comes again.
    await using again = await connectPeer(gateway.ws, 'agent', { after: '0' });
    again.send(chat('c9'));
    again.send({ id: 'x', kind: 'nothing', payload: {} });
    await again.error('x');
    gate.open();
    await reviewer.say(chat('last'));
    await again.next(({ id }) => id === 'last');
    expect(chats(again)).toEqual([...ids(10), 'last']);
  });

  it('I-6: gets everything once and in order under continuous traffic', async () => {
    await using gateway = await startTestGateway();
    await using agent = await connectPeer(gateway.ws, 'agent');
    const late: Promise<Peer>[] = [];
    for (let count = 0; count < 2_000; count++) {
      agent.send(chat(`c${count}`));
      if (count % 100 !== 50) continue;
      late.push(connectPeer(gateway.ws, 'reviewer', { after: '0' }));
      await agent.next(({ id }) => id === `c${count}`);
    }
    for (const one of await Promise.all(late)) {
      await using peer = one;
      await peer.next(({ id }) => id === 'c1999');
      expect(chats(peer)).toEqual(ids(2_000));
    }
  });

  it('I-6, O-4: resumes over server-sent events too, from the last id', async () => {
    await using gateway = await startTestGateway();
    await using agent = await connectPeer(gateway.ws, 'agent');
    for (const id of ids(5)) await agent.say(chat(id));
    const third = agent.messages.find(({ id }) => id === 'c2');
    const abort = new AbortController();
    const response = await fetch(`${gateway.http}/spaces/main/feed`, {
      headers: {
        authorization: 'Bearer reviewer',
        accept: 'text/event-stream',
        'last-event-id': String(third?.seq),
      },
      signal: abort.signal,
    });
    agent.send(chat('live'));
    let text = '';
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk as Uint8Array).toString();
      if (text.includes('"live"')) break;
    }
    expect([...text.matchAll(/"id":"(\w+)"/g)].map(([, id]) => id)).toEqual(['c3', 'c4', 'live']);
    const seqs = [...text.matchAll(/^id: (\d+)$/gm)].map(([, seq]) => Number(seq));
    expect(seqs).toEqual([...seqs].sort((left, right) => left - right));
    expect(seqs).toHaveLength(3);
    abort.abort();
  });

  it('I-6: gets no repeats from a gateway that lags behind the one it used before', async () => {
    const journal = createMemoryJournal();
    const gate = createGate();
    const feed: Journal['feed'] = async function* late(space, after, options) {
      if (options?.follow !== false) await gate.opened;
      yield* journal.feed(space, after, options);
    };
    await using first = await startTestGateway('dev: true', shared(journal));
    await using behind = await startTestGateway('dev: true', journalWith(shared(journal), { feed }));
    await using agent = await connectPeer(first.ws, 'agent');
    for (const id of ids(3)) await agent.say(chat(id));
    const seen = agent.messages.find(({ id }) => id === 'c2')?.seq;
    await using back = await connectPeer(behind.ws, 'reviewer', { after: String(seen) });
    gate.open();
    await agent.say(chat('last'));
    await back.next(({ id }) => id === 'last');
    expect(chats(back)).toEqual(['last']);
  });

  it('I-6: is told to retry by a gateway that cannot check its position', async () => {
    const refusal = refuse('unavailable', 'NATS could not be reached.');
    const lastSeq: Journal['lastSeq'] = (_, atLeast = 0) =>
      atLeast === 0 ? Promise.resolve(0) : Promise.reject(new JournalError(refusal));
    await using gateway = await startTestGateway(
      'dev: true',
      journalWith(createMemoryJournal(), { lastSeq }),
    );
    const headers = { 'last-event-id': '7' };
    const answer = await ask(`${gateway.http}/spaces/main/feed`, 'reviewer', { headers });
    expect(answer).toMatchObject({ status: 503, code: 'unavailable' });
    await expect(connectPeer(gateway.ws, 'reviewer', { after: '7' })).rejects.toThrow('503');
  });
});
