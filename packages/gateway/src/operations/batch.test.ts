import { refuse } from '@proffer/core';
import { createMemoryJournal } from '@proffer/journal';
import { describe, expect, it } from 'vitest';
import { appendOne, eachAppend, journalWith } from '../testing/journals.js';
import { chat, proposal, rejection, withdrawal } from '../testing/messages.js';
import { post } from '../testing/peers/http.js';
import type { Message } from '../testing/peers/peer.js';
import { onOneGateway, type Place } from '../testing/places.js';
import { startTestGateway } from '../testing/test-gateway.js';

const status = (id: string, about: string) => ({
  id,
  kind: 'mcpx.status.proposal',
  correlationId: about,
  payload: { status: 'considering' },
});

const NAMED = ['unknown', 'p1', 'foreign', 'late', 'p2'];

/** Two pending proposals of the agent, one that is over, and one of the reviewer. */
async function prepare(place: Pick<Place, 'post'>): Promise<void> {
  for (const id of ['p1', 'p2', 'late']) await place.post('agent', proposal(id));
  await place.post('reviewer', proposal('foreign'));
  await place.post('agent', withdrawal('w', 'late'));
}

/** What each kind makes of the proposal that is not the agent's. */
const kinds = [
  ['withdrawal', 'agent', withdrawal('m1', ''), { status: 'refused', error: { code: 'not_proposer' } }],
  ['rejection', 'reviewer', rejection('m1', ''), { status: 'refused', error: { code: 'use_withdraw' } }],
  ['status', 'reviewer', status('m1', ''), { status: 'accepted' }],
] as const;

const isOutcomes = ({ kind }: Message): boolean => kind === 'system.outcomes';

const { take } = onOneGateway({
  spaces: { hiding: '{ visibility: addressed }' },
  masters: ['rival'],
});

describe('a message about several proposals', () => {
  it.each(kinds)(
    'O-35: a %s has an outcome for each over HTTP, also when it is sent again',
    async (_, who, message, foreign) => {
      const [place] = take();
      await prepare(place);
      const send = () => place.post(who, { ...message, correlationId: NAMED });
      const { body, status: code } = await send();
      expect(code).toBe(200);
      expect(body).toMatchObject({
        id: 'm1',
        status: 'accepted',
        outcomes: [
          { id: 'm1#1', proposal: 'unknown', status: 'refused', error: { code: 'unknown_proposal' } },
          { id: 'm1#2', proposal: 'p1', status: 'accepted', seq: expect.any(Number) },
          { id: 'm1#3', proposal: 'foreign', ...foreign },
          { id: 'm1#4', proposal: 'late', status: 'late' },
          { id: 'm1#5', proposal: 'p2', status: 'accepted', seq: body['seq'] },
        ],
      });
      const again = JSON.stringify(body).replaceAll('"status":"accepted"', '"status":"duplicate"');
      expect((await send()).body).toEqual(JSON.parse(again));
    },
  );

  it.each(kinds)(
    'O-35: a %s has an outcome for each on a WebSocket, for its sender only',
    async (_, who, message, foreign) => {
      const [place] = take();
      await prepare(place);
      await using sender = await place.connect(who);
      await using other = await place.connect('tools');
      await other.next(({ kind }) => kind === 'system.welcome');
      sender.send({ ...message, correlationId: NAMED });
      const { correlationId, payload } = await sender.next(isOutcomes);
      expect(correlationId).toBe('m1');
      expect(payload['outcomes']).toMatchObject([
        { proposal: 'unknown', status: 'refused', error: { code: 'unknown_proposal' } },
        { proposal: 'p1', status: 'accepted' },
        { proposal: 'foreign', ...foreign },
        { proposal: 'late', status: 'late' },
        { proposal: 'p2', status: 'accepted' },
      ]);
      await sender.say(chat('last'));
      await other.next(({ id }) => id === 'last');
      const parts = other.messages.filter(({ id }) => id.startsWith('m1'));
      const about = foreign.status === 'accepted' ? ['p1', 'foreign', 'p2'] : ['p1', 'p2'];
      expect(parts.map((part) => part.correlationId)).toEqual(about);
      expect(other.messages.some(isOutcomes)).toBe(false);
      expect(sender.messages.some(({ kind }) => kind === 'system.error')).toBe(false);
    },
  );

  it('O-35, I-5: is refused only if every part is, and says why for each', async () => {
    const [place] = take();
    await prepare(place);
    const batch = { ...withdrawal('m1', ''), correlationId: ['unknown', 'foreign'] };
    const outcomes = [
      { proposal: 'unknown', status: 'refused', error: { code: 'unknown_proposal' } },
      { proposal: 'foreign', status: 'refused', error: { code: 'not_proposer' } },
    ];
    expect(await place.post('agent', batch)).toMatchObject({
      code: 'unknown_proposal',
      body: { details: { outcomes } },
    });
    await using agent = await place.connect('agent');
    agent.send(batch);
    expect(await agent.error('m1')).toMatchObject({ error: 'unknown_proposal', outcomes });
    expect((await agent.next(isOutcomes)).payload).toMatchObject({ outcomes });
    // It left no trace: the id is free.
    expect(await place.post('agent', chat('m1'))).toMatchObject({ body: { status: 'accepted' } });
  });

  it('O-35, O-16: without effect is late, and an unknown id is answered all the same', async () => {
    const [place] = take();
    await prepare(place);
    const batch = { ...withdrawal('m1', ''), correlationId: ['late', 'unknown'] };
    expect((await place.post('agent', batch)).body).toMatchObject({
      id: 'm1',
      status: 'late',
      outcomes: [{ status: 'late' }, { status: 'refused', error: { code: 'unknown_proposal' } }],
    });
  });

  it('O-35, O-43: one that the sender may not see is unknown', async () => {
    const [place] = take('hiding');
    await place.post('agent', proposal('p1'));
    await place.post('agent', { ...proposal('hidden'), to: ['reviewer'] });
    await using tools = await place.connect('rival');
    tools.send({ ...status('m1', ''), correlationId: ['p1', 'hidden'] });
    const answer = await tools.next(({ kind }) => kind === 'system.outcomes' || kind === 'system.error');
    expect(answer.payload['outcomes']).toMatchObject([
      { proposal: 'p1', status: 'accepted' },
      { proposal: 'hidden', status: 'refused', error: { code: 'unknown_proposal' } },
    ]);
  });

  it('O-35, I-1: a part that could not be written is refused, the others are accepted, and a repeat does the rest', async () => {
    const journal = createMemoryJournal();
    let isFull = true;
    const full = eachAppend((append, settle) => {
      const fails = isFull && append.stream.endsWith('/p2') && append.expectedVersion > 0;
      if (!fails) return appendOne(journal, append, settle);
      queueMicrotask(() => settle({ status: 'unavailable', refusal: refuse('unavailable', 'No room.') }));
    });
    const failing = journalWith(journal, full);
    await using gateway = await startTestGateway('dev: true', failing);
    await prepare({ post: (token, message) => post(gateway.http, token, message) });
    const send = () => post(gateway.http, 'agent', { ...withdrawal('m1', ''), correlationId: ['p1', 'p2'] });
    expect((await send()).body).toMatchObject({
      status: 'accepted',
      outcomes: [{ status: 'accepted' }, { status: 'refused', error: { code: 'unavailable' } }],
    });
    isFull = false;
    expect((await send()).body).toMatchObject({
      status: 'accepted',
      outcomes: [{ status: 'duplicate' }, { status: 'accepted' }],
    });
  });
});
