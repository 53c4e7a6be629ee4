import type { Journal } from '@proffer/journal';
import { describe, expect, it } from 'vitest';
import { macpEnvelope, openTable, postEnvelope } from './macp.js';
import { readEvents } from './peers/event-reader.js';
import { ask } from './peers/http.js';
import type { TestGateway } from './test-gateway.js';

const ROUNDS = process.env['PROFFER_LONG'] === undefined ? 12 : 200;

/** Two gateways on one journal; closed with `await using`. */
export interface Pair extends AsyncDisposable {
  readonly first: TestGateway;
  readonly second: TestGateway;
  /** The journal, to be verified. */
  readonly journal: Pick<Journal, 'verify'>;
}

/** What holds for sessions whichever of two gateways a party uses, on any journal that two can share. */
export function describeNegotiatingAcross(name: string, startTwo: () => Promise<Pair>): void {
  describe(`two gateways on one journal: ${name}`, () => {
    it('N-6, N-12: take turns in one session: each knows at once what the other acknowledged', async () => {
      await using pair = await startTwo();
      const here = openTable(pair.first.http);
      const there = openTable(pair.second.http, here.id);
      await here.start('buyer');
      expect(await there.start('buyer')).toMatchObject({ code: 'SESSION_ALREADY_EXISTS' });
      expect(await there.propose('seller', 'p1')).toMatchObject({ ok: true, sequence: 2 });
      expect(await here.accept('buyer', 'p1')).toMatchObject({ ok: true, sequence: 3 });
      expect(await there.accept('seller', 'p1')).toMatchObject({ ok: true, sequence: 4 });
      expect(await here.commit('buyer')).toMatchObject({ ok: true, state: 'RESOLVED' });
      expect(await there.state('seller')).toBe('RESOLVED');
      expect(await there.propose('seller', 'p2')).toMatchObject({ code: 'SESSION_NOT_OPEN' });
    });

    it('N-13: a policy registered at one can be named at the other', async () => {
      await using pair = await startTwo();
      const body = JSON.stringify({ policy_id: 'policy.new', mode: '*', rules: '{}', schema_version: 1 });
      expect((await ask(`${pair.first.http}/macp/policies`, 'a', { method: 'POST', body })).status).toBe(200);
      const table = openTable(pair.second.http);
      expect(await table.start('buyer', { policy_version: 'policy.new' })).toMatchObject({ ok: true });
    });

    it('I-2, N-10: whoever races whom, there is one outcome, and everybody sees the same', async () => {
      await using pair = await startTwo();
      for (let round = 0; round < ROUNDS; round++) {
        const here = openTable(pair.first.http);
        const there = openTable(pair.second.http, here.id);
        await here.start('buyer');
        await there.propose('seller', 'p1');
        await here.propose('seller', 'p2');
        const url = `/macp/session/${here.id}/envelopes`;
        await using left = await readEvents(`${pair.first.http}${url}`, 'buyer');
        await using right = await readEvents(`${pair.second.http}${url}`, 'seller');
        const racing = await Promise.all([
          here.accept('seller', 'p1'),
          there.accept('seller', 'p2'),
          here.accept('buyer', 'p1'),
          there.accept('buyer', 'p2'),
          ...[here, there, here, there].flatMap((table) => [
            table.commit('buyer'),
            table.commit('buyer', { outcome_positive: false }),
          ]),
          here.control('buyer', 'cancel'),
          there.control('buyer', 'cancel'),
        ]);
        for (const { status } of racing) expect([200, 400, 403, 409]).toContain(status);
        const accepted = await here.envelopes('buyer');
        const ids = accepted.map(({ sequence }) => sequence);
        expect(ids).toEqual(accepted.map((_, index) => index + 1));
        const ends = accepted.filter(({ envelope }) =>
          /Commitment|SessionCancel/.test(JSON.stringify(envelope)),
        );
        expect(ends).toHaveLength(1);
        const seen = await Promise.all([left.take(accepted.length), right.take(accepted.length)]);
        for (const events of seen) expect(events.map(({ json }) => json)).toEqual(accepted);
      }
      expect((await pair.journal.verify()).faults).toEqual([]);
    });

    it('N-6: one message sent to both at once is accepted once', async () => {
      await using pair = await startTwo();
      const table = openTable(pair.first.http);
      await table.start('buyer');
      for (let round = 0; round < ROUNDS; round++) {
        const offer = JSON.stringify(
          macpEnvelope(table.id, 'seller', 'Proposal', { proposal_id: `p${round}` }),
        );
        const acks = await Promise.all(
          [pair.first, pair.second, pair.first, pair.second].map(({ http }) =>
            postEnvelope(http, 'seller', offer),
          ),
        );
        expect(acks.map(({ ok }) => ok)).toEqual([true, true, true, true]);
        expect(acks.filter(({ duplicate }) => !duplicate)).toHaveLength(1);
        expect(new Set(acks.map(({ sequence }) => sequence))).toEqual(new Set([round + 2]));
      }
    });
  });
}
