import { setImmediate as nextTurn } from 'node:timers/promises';
import type { JsonObject } from '@proffer/core/json';
import type { Journal } from '@proffer/journal';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { appendOne, eachAppend, journalWith, type OneAppend } from '../journals.js';
import { openTable } from '../macp.js';
import { fulfilment, proposal, rejection, withdrawal } from '../messages.js';
import { type Answer, ask, post } from '../peers/http.js';
import { connectPeer, type Peer } from '../peers/peer.js';
import { startTestGateway, type TestGateway } from '../test-gateway.js';

/** A journal that keeps appends back while it is told to. */
function holding(journal: Journal) {
  const held: OneAppend[] = [];
  let isHolding = false;
  let onHeld = (): void => {};
  return {
    journal: journalWith(
      journal,
      eachAppend((...given) => {
        if (!isHolding) return appendOne(journal, ...given);
        held.push(given);
        onHeld();
      }),
    ),
    /** Keeps what comes from now on; resolves when the first has come. */
    hold: (): Promise<void> => {
      isHolding = true;
      return new Promise((resolve) => {
        onHeld = resolve;
      });
    },
    release: (): void => {
      isHolding = false;
      for (const given of held.splice(0)) appendOne(journal, ...given);
    },
  };
}

/** Everything that has nothing to wait for goes first. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await nextTurn();
}

/** An answer that can be compared with a later one: the headers have the time of day. */
function withoutHeaders({ status, code, body }: Answer): Omit<Answer, 'headers'> {
  return { status, code, body };
}

const NOT_PENDING = { status: 409, code: 'proposal_not_pending' };

/**
 * Messages that are sent again while they are in flight, and another gateway's message is first.
 *
 * @param open - opens the journal that both gateways share, once for each
 */
export function describeRepeats(name: string, open: () => Promise<readonly [Journal, Journal]>): void {
  describe(`a message sent again while it is in flight, and another gateway is first, on ${name}`, () => {
    let slow: ReturnType<typeof holding>;
    let left: TestGateway;
    let right: TestGateway;
    const tools: Peer[] = [];

    beforeAll(async () => {
      const [here, there] = await open();
      slow = holding(here);
      left = await startTestGateway('dev: true', slow.journal);
      right = await startTestGateway('dev: true', there);
      for (const { ws } of [left, right]) tools.push(await connectPeer(ws, 'tools'));
      for (const one of tools) await one.next(({ kind }) => kind === 'system.welcome');
    });
    afterAll(async () => {
      for (const one of tools) await one[Symbol.asyncDispose]();
      await left.gateway.close();
      await right.gateway.close();
    });

    /** Makes a proposal that both gateways know; returns its digest. */
    async function propose(id: string): Promise<unknown> {
      expect(await post(left.http, 'agent', proposal(id))).toMatchObject({ status: 200 });
      const shown = ({ http }: TestGateway) => ask(`${http}/spaces/main/proposals/${id}`, 'reviewer');
      await expect.poll(async () => (await shown(right)).status).toBe(200);
      return ((await shown(left)).body['proposal'] as JsonObject)['digest'];
    }

    /**
     * Sends something twice to the left gateway, the second time while the first is in flight and after the right
     * gateway has accepted another message in its place. Returns both answers.
     */
    async function twice<Answered>(
      send: () => Promise<Answered>,
      winner: () => Promise<Answer>,
    ): Promise<readonly [Answered, Answered]> {
      const arrived = slow.hold();
      try {
        const first = send();
        await arrived;
        expect(await winner()).toMatchObject({ status: 200 });
        const both = Promise.all([first, send()]);
        await settle();
        slow.release();
        return await both;
      } finally {
        slow.release();
      }
    }

    const say = (token: string, message: JsonObject) => async () =>
      withoutHeaders(await post(left.http, token, message));
    const win = (token: string, message: JsonObject) => () => post(right.http, token, message);

    const act = (id: string, action: string, token: string, body: JsonObject) => async () =>
      withoutHeaders(
        await ask(`${left.http}/spaces/main/proposals/${id}/${action}`, token, {
          method: 'POST',
          headers: { 'idempotency-key': `key-${id}` },
          body: JSON.stringify(body),
        }),
      );

    it('O-47: gets its own answer over HTTP', async () => {
      await propose('p1');
      const fulfilling = say('reviewer', fulfilment('f1', 'p1'));
      const [fulfilled, fulfilledAgain] = await twice(fulfilling, win('agent', withdrawal('w1', 'p1')));
      expect(fulfilled).toMatchObject(NOT_PENDING);
      expect(fulfilledAgain).toEqual(fulfilled);
      expect(await fulfilling()).toEqual(fulfilled);

      await propose('p2');
      const withdrawing = say('agent', withdrawal('w2', 'p2'));
      const [withdrawn, withdrawnAgain] = await twice(withdrawing, win('reviewer', fulfilment('f2', 'p2')));
      expect(withdrawn).toMatchObject({ status: 200, body: { status: 'late' } });
      expect(withdrawnAgain).toEqual(withdrawn);
    });

    it('O-47: gets its own answer under its Idempotency-Key', async () => {
      const digest = (await propose('p3')) as string;
      const [approved, approvedAgain] = await twice(
        act('p3', 'approve', 'reviewer', { digest, executor: 'tools' }),
        win('agent', withdrawal('w3', 'p3')),
      );
      expect(approved).toMatchObject(NOT_PENDING);
      expect(approvedAgain).toEqual(approved);

      await propose('p4');
      const [withdrawn, withdrawnAgain] = await twice(
        act('p4', 'withdraw', 'agent', {}),
        win('reviewer', fulfilment('f4', 'p4')),
      );
      expect(withdrawn).toMatchObject(NOT_PENDING);
      expect(withdrawnAgain).toEqual(withdrawn);
    });

    it('O-47: is accepted once if it still can be', async () => {
      await propose('p5');
      const [first, again] = await twice(
        say('agent', withdrawal('w5', 'p5')),
        win('reviewer', rejection('r5', 'p5')),
      );
      expect(first).toMatchObject({ body: { status: 'accepted' } });
      expect(again.body).toEqual({ ...first.body, status: 'duplicate' });
    });

    it('O-47: of which a part still can be accepted gets the answer of the whole', async () => {
      await propose('p6');
      await propose('p7');
      const both = { ...withdrawal('w6', ''), correlationId: ['p6', 'p7'] };
      const [first, again] = await twice(say('agent', both), win('reviewer', fulfilment('f6', 'p6')));
      expect(first.body).toMatchObject({
        status: 'accepted',
        outcomes: [
          { proposal: 'p6', status: 'late' },
          { proposal: 'p7', status: 'accepted', seq: first.body['seq'] },
        ],
      });
      expect(again.body).toMatchObject({
        status: 'duplicate',
        seq: first.body['seq'],
        outcomes: [{ status: 'late' }, { status: 'duplicate', seq: first.body['seq'] }],
      });
    });

    it('O-47: gets its own answer on a WebSocket, and sees nothing again', async () => {
      await propose('p8');
      await using reviewer = await connectPeer(left.ws, 'reviewer');
      const errors = () => reviewer.messages.filter(({ kind }) => kind === 'system.error');
      let sent = 0;
      const [, answers] = await twice(
        async () => {
          const count = ++sent;
          reviewer.send(fulfilment('f8', 'p8'));
          await reviewer.next(() => errors().length >= count);
          return errors();
        },
        win('agent', withdrawal('w8', 'p8')),
      );
      expect(answers).toMatchObject([
        { correlationId: 'f8', payload: { error: 'proposal_not_pending' } },
        { correlationId: 'f8', payload: { error: 'proposal_not_pending' } },
      ]);
      const seqs = reviewer.messages.flatMap(({ seq }) => seq ?? []);
      expect(seqs).toEqual([...new Set(seqs)]);
    });

    it('O-47, N-6: gets its own answer in a negotiation', async () => {
      const table = openTable(left.http);
      await table.start('buyer');
      await table.propose('buyer', 'o1');
      const elsewhere = openTable(right.http, table.id);
      await expect.poll(() => elsewhere.state('seller')).toBe('OPEN');
      const message_id = 'm1';
      const accept = () => table.send('seller', 'Accept', { proposal_id: 'o1' }, { message_id });
      const [first, again] = await twice(accept, () =>
        ask(`${right.http}/macp/session/${table.id}/cancel`, 'buyer', { method: 'POST', body: '{}' }),
      );
      expect(first).toMatchObject({ ok: false, code: 'SESSION_NOT_OPEN' });
      expect(again).toEqual(first);

      const other = openTable(left.http);
      await other.start('buyer');
      const [proposed, proposedAgain] = await twice(
        () => other.send('buyer', 'Proposal', { proposal_id: 'o2', title: 'Mine' }, { message_id: 'm2' }),
        () => openTable(right.http, other.id).propose('seller', 'o3'),
      );
      expect(proposed).toMatchObject({ ok: true, duplicate: false, sequence: 3 });
      expect(proposedAgain).toMatchObject({ ok: true, duplicate: true, sequence: 3 });
    });
  });
}
