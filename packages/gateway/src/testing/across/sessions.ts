import { randomUUID } from 'node:crypto';
import { type JsonObject, textOf } from '@proffer/core/json';
import { describe, expect, it } from 'vitest';
import { commitPayload, macpEnvelope, openTable, postEnvelope, startPayload } from '../macp.js';
import { readEvents } from '../peers/event-reader.js';
import { ask } from '../peers/http.js';
import type { Venue } from '../places.js';
import { type Said, SESSION_PLAYS } from '../session-plays.js';

const ROUNDS = process.env['PROFFER_LONG'] === undefined ? 12 : 200;

/** Of each mode. */
const RACES = Math.ceil(ROUNDS / SESSION_PLAYS.length);

/** Sessions, at whichever gateway a party connects. */
export function describeSessions(name: string, { take, faults }: Venue): void {
  describe(`sessions on ${name}`, () => {
    it('N-6, N-12: gateways take turns in one session: each knows at once what the other acknowledged', async () => {
      const [first, second, third] = take();
      const here = openTable(first.http);
      const there = openTable(second.http, here.id);
      const elsewhere = openTable(third.http, here.id);
      await here.start('buyer');
      expect(await there.start('buyer')).toMatchObject({ code: 'SESSION_ALREADY_EXISTS' });
      expect(await there.propose('seller', 'p1')).toMatchObject({ ok: true, sequence: 2 });
      expect(await here.accept('buyer', 'p1')).toMatchObject({ ok: true, sequence: 3 });
      expect(await elsewhere.accept('seller', 'p1')).toMatchObject({ ok: true, sequence: 4 });
      expect(await here.commit('buyer')).toMatchObject({ ok: true, state: 'RESOLVED' });
      for (const table of [there, elsewhere]) expect(await table.state('seller')).toBe('RESOLVED');
      expect(await there.propose('seller', 'p2')).toMatchObject({ code: 'SESSION_NOT_OPEN' });
    });

    it('N-13: a policy registered at one can be named at the other', async () => {
      const [first, second] = take();
      const body = JSON.stringify({ policy_id: 'policy.new', mode: '*', rules: '{}', schema_version: 1 });
      expect((await ask(`${first.http}/macp/policies`, 'a', { method: 'POST', body })).status).toBe(200);
      const table = openTable(second.http);
      expect(await table.start('buyer', { policy_version: 'policy.new' })).toMatchObject({ ok: true });
    });

    it('N-31: a mode registered at one runs at the others, and goes on when it is removed', async () => {
      const [first, second, third] = take();
      const mode = `ext.auction-${randomUUID()}.v1`;
      const mode_descriptor = {
        mode,
        mode_version: '1.0.0',
        message_types: ['Bid', 'Award'],
        terminal_message_types: ['Award'],
      };
      const call = (place: { readonly http: string }, method: string, body: JsonObject) =>
        ask(`${place.http}/macp/v1/${method}`, 'a', {
          method: 'POST',
          body: JSON.stringify(body),
          headers: { 'content-type': 'application/json' },
        });
      expect((await call(first, 'RegisterExtMode', { mode_descriptor })).body).toMatchObject({ ok: true });
      const there = openTable(second.http);
      const elsewhere = openTable(third.http, there.id);
      expect(await there.send('buyer', 'SessionStart', startPayload(), { mode })).toMatchObject({ ok: true });
      expect((await call(third, 'UnregisterExtMode', { mode })).body).toMatchObject({ ok: true });
      expect(await elsewhere.send('seller', 'Bid', { amount: 5 }, { mode })).toMatchObject({ ok: true });
      expect(await elsewhere.send('buyer', 'Award', {}, { mode })).toMatchObject({ state: 'RESOLVED' });
      expect(await there.send('seller', 'Bid', {}, { mode })).toMatchObject({ code: 'SESSION_NOT_OPEN' });
      expect(await there.state('seller')).toBe('RESOLVED');
    });

    it.each(SESSION_PLAYS)(
      'I-2, N-10: $mode has one outcome whoever races, and everyone sees the same',
      async ({ mode, opening, racing }) => {
        const places = take();
        const [first, , third] = places;
        for (let round = 0; round < RACES; round++) {
          const here = openTable(first.http);
          const tables = places.map(({ http }) => openTable(http, here.id));
          const say = (place: number, ...[who, type, payload]: Said) =>
            tables[place % tables.length]?.send(who, type, payload, { mode }) ?? Promise.reject();
          expect(await here.send('buyer', 'SessionStart', startPayload(), { mode })).toMatchObject({
            ok: true,
          });
          for (const [place, said] of opening.entries()) {
            expect(await say(place + 1, ...said)).toMatchObject({ ok: true });
          }
          const url = `/macp/session/${here.id}/envelopes`;
          await using left = await readEvents(`${first.http}${url}`, 'buyer');
          await using right = await readEvents(`${third.http}${url}`, 'seller');
          const answers = await Promise.all([
            ...racing.map((said, place) => say(place, ...said)),
            ...[0, 1, 2, 1].flatMap((place) =>
              [true, false].map((outcome_positive) =>
                say(place, 'buyer', 'Commitment', commitPayload({ outcome_positive })),
              ),
            ),
            ...tables.map((table) => table.control('buyer', 'cancel')),
          ]);
          for (const { status } of answers) expect([200, 400, 403, 409]).toContain(status);
          // Whatever the race left open.
          await here.control('buyer', 'cancel');
          const accepted = await here.envelopes('buyer');
          const ids = accepted.map(({ sequence }) => sequence);
          expect(ids).toEqual(accepted.map((_, index) => index + 1));
          const ends = accepted.filter(({ envelope }) =>
            /"message_type":"(?:Commitment|SessionCancel)"/.test(JSON.stringify(envelope)),
          );
          expect(ends).toHaveLength(1);
          const seen = await Promise.all([left.take(accepted.length), right.take(accepted.length)]);
          for (const events of seen) expect(events.map(({ json }) => json)).toEqual(accepted);
        }
        expect(await faults()).toEqual([]);
      },
    );

    it('N-6: one message sent to both at once is accepted once', async () => {
      const [first, second, third] = take();
      const table = openTable(first.http);
      await table.start('buyer');
      for (let round = 0; round < ROUNDS; round++) {
        const offer = JSON.stringify(
          macpEnvelope(table.id, 'seller', 'Proposal', { proposal_id: `p${round}` }),
        );
        const acks = await Promise.all(
          [first, second, third, second].map(({ http }) => postEnvelope(http, 'seller', offer)),
        );
        expect(acks.map(({ ok }) => ok)).toEqual([true, true, true, true]);
        expect(acks.filter(({ duplicate }) => !duplicate)).toHaveLength(1);
        expect(new Set(acks.map(({ sequence }) => sequence))).toEqual(new Set([round + 2]));
      }
    });

    it('N-8, N-13: watchers learn of events at the others', async () => {
      const [first, second, third] = take();
      const watch = (what: string) => readEvents(`${third.http}/macp/${what}`, 'reviewer');
      await using sessions = await watch('sessions');
      await using policies = await watch('policies');
      const table = openTable(first.http);
      const later = openTable(second.http, table.id);
      await table.start('buyer');
      await later.control('buyer', 'suspend');
      await table.control('buyer', 'resume');
      await later.control('buyer', 'cancel');
      const isOurs = ({ session }: JsonObject) => JSON.stringify(session).includes(table.id);
      const told: unknown[] = [];
      for (let event = await sessions.next(); event !== undefined; event = await sessions.next()) {
        if (isOurs(event.json)) told.push(textOf(event.json['event_type']).replace(/^.*_/, ''));
        if (told.at(-1) === 'CANCELLED') break;
      }
      expect(told).toEqual(['CREATED', 'SUSPENDED', 'RESUMED', 'CANCELLED']);
      const body = JSON.stringify({
        policy_id: `policy.${table.id}`,
        mode: '*',
        rules: '{}',
        schema_version: 1,
      });
      expect((await ask(`${second.http}/macp/policies`, 'a', { method: 'POST', body })).status).toBe(200);
      let list = await policies.next();
      while (list?.data.includes(table.id) === false) list = await policies.next();
      expect(list?.data).toContain(table.id);
    });
  });
}
