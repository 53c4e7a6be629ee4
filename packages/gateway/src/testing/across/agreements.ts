import { attachCall, scopeOf } from '@proffer/core/agreement';
import type { JsonObject } from '@proffer/core/json';
import { QUORUM_MODE } from '@proffer/core/negotiation';
import { type AgreedCall, operationDigest } from '@proffer/core/operations';
import { describe, expect, it } from 'vitest';
import { commitPayload, type MacpTable, openTable, startPayload } from '../macp.js';
import { until } from '../metrics.js';
import type { Message, Peer } from '../peers/peer.js';
import type { PlacesOptions, Venue } from '../places.js';

const ENTRY =
  '{ name: payments, call: "mcp.request.tools/call:pay", approvals: 2, from: [finance, ops], by: {} }';

/** The review policy of a space in which two of three agents spend money together. */
export const PAYMENTS = `{ review: [${ENTRY}] }`;

export const AGREEMENTS: Required<Pick<PlacesOptions, 'spaces' | 'masters'>> = {
  spaces: Object.fromEntries(['pay1', 'pay2', 'pay3', 'pay4', 'pay5'].map((name) => [name, PAYMENTS])),
  masters: ['sales', 'finance', 'ops'],
};

export const payment = (amount: number): JsonObject => ({
  name: 'pay',
  arguments: { to: 'supplier', amount },
});

export const payCall = (space: string, amount: number): AgreedCall => ({
  space,
  method: 'tools/call',
  params: payment(amount),
});

export const attached = (call: AgreedCall): string =>
  Buffer.from(JSON.stringify(attachCall(call))).toString('base64');

/** Announces the tool, and waits until that is known. */
export async function announcePay(bank: Peer, id = 'n1'): Promise<void> {
  await bank.say({ id, kind: 'mcpx.announce.tools', payload: { tools: [{ name: 'pay' }] } });
}

/** Three agents agree on a call, up to the commitment. */
export async function agreeOn(call: AgreedCall, tables: readonly MacpTable[]): Promise<void> {
  const [first, second = first, third = second] = tables;
  const participants = ['sales', 'finance', 'ops'];
  const offer = { proposal_id: 'p1', title: 'Budget', details: attached(call) };
  expect(await first?.start('sales', { participants })).toMatchObject({ ok: true });
  expect(await second?.send('sales', 'Proposal', offer)).toMatchObject({ ok: true });
  for (const [table, name] of [
    [first, 'sales'],
    [second, 'finance'],
    [third, 'ops'],
  ] as const)
    expect(await table?.accept(name, 'p1')).toMatchObject({ ok: true });
}

const isRequest = ({ kind }: Message): boolean => kind.startsWith('mcp.request.tools/call');

/** Committed sessions decide about calls, at whichever gateway everybody is. */
export function describeAgreements(name: string, { take, faults }: Venue): void {
  describe(`agreements on ${name}`, () => {
    it('O-53, N-32, I-2: the commitment pays what was agreed, once, whoever commits again', async () => {
      const [first, second, third] = take('pay1');
      await using bank = await third.connect('bank');
      await announcePay(bank);
      const here = openTable(first.http);
      const tables = [first, second, third].map(({ http }) => openTable(http, here.id));
      const call = payCall('pay1', 4000);
      await agreeOn(call, tables);
      const commitment = { authority_scope: scopeOf(call) };
      const answers = await Promise.all(tables.map((table) => table.commit('sales', commitment)));
      expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
      const request = await bank.next(isRequest);
      expect(request.payload['params']).toEqual(payment(4000));
      expect(['finance', 'ops']).toContain(request.from);
      await bank.say({
        id: 'a1',
        kind: 'mcp.response.tools/call',
        correlationId: request.id,
        payload: { result: { content: [] } },
      });
      expect(await here.commit('sales', commitment)).toMatchObject({ code: 'SESSION_NOT_OPEN' });
      const proposal = String(request.correlationId);
      for (const place of [first, second, third]) {
        await until(async () => phaseOf(await place.ask(`/proposals/${proposal}`, 'finance')) === 'settled');
      }
      expect(bank.messages.filter(isRequest)).toHaveLength(1);
      const { body } = await first.ask(`/proposals/${proposal}`, 'finance');
      expect(body['proposal']).toMatchObject({
        proposer: 'sales',
        agreements: [{ session: here.id, commitment: 'c1', committedBy: 'sales', policy: 'policy.default' }],
        fulfilment: { session: here.id },
        approvals: [
          { by: 'finance', session: here.id },
          { by: 'ops', session: here.id },
        ],
      });
      expect(await faults()).toEqual([]);
    });

    it('O-53: what was agreed in another space, or committed without naming the call, pays nothing here', async () => {
      const [first] = take('pay2');
      await using bank = await first.connect('bank');
      await announcePay(bank);
      const elsewhere = payCall('nowhere', 1);
      const quiet = openTable(first.http);
      await agreeOn(payCall('pay2', 1), [quiet]);
      expect(await quiet.commit('sales')).toMatchObject({ ok: true });
      const other = openTable(first.http);
      await agreeOn(elsewhere, [other]);
      expect(await other.commit('sales', { authority_scope: scopeOf(elsewhere) })).toMatchObject({
        ok: true,
      });
      const last = openTable(first.http);
      await agreeOn(payCall('pay2', 2), [last]);
      await last.commit('sales', { authority_scope: scopeOf(payCall('pay2', 2)) });
      await bank.next(isRequest);
      expect(bank.messages.filter(isRequest).map(({ payload }) => payload['params'])).toEqual([payment(2)]);
    });

    it('O-53: a quorum approves the proposal of an agent, and nobody can without one', async () => {
      const [first, second] = take('pay3');
      await using bank = await second.connect('bank');
      await announcePay(bank);
      const params = payment(70);
      const proposal = {
        id: 'p1',
        kind: 'mcp.proposal.tools/call:pay',
        payload: { method: 'tools/call', params },
      };
      expect(await first.post('agent', proposal)).toMatchObject({ status: 200 });
      const digest = operationDigest('tools/call', params);
      const approval = { id: 'a1', kind: 'mcpx.approve.proposal', correlationId: 'p1', payload: { digest } };
      expect(await second.post('finance', approval)).toMatchObject({ code: 'session_required' });
      await askQuorum(openTable(first.http), { space: 'pay3', proposal: 'p1', digest }, [
        'Approve',
        'Approve',
      ]);
      const request = await bank.next(isRequest);
      expect([request.correlationId, request.payload['params']]).toEqual(['p1', params]);
      // Another session about it changes nothing.
      await askQuorum(openTable(second.http), { space: 'pay3', proposal: 'p1', digest }, [
        'Approve',
        'Approve',
      ]);
      expect(bank.messages.filter(isRequest)).toHaveLength(1);
    });

    it('O-53: a quorum that says no declines it, and says why', async () => {
      const [first] = take('pay4');
      const params = payment(80);
      const payload = { method: 'tools/call', params };
      await first.post('agent', { id: 'p1', kind: 'mcp.proposal.tools/call:pay', payload });
      const digest = operationDigest('tools/call', params);
      const table = openTable(first.http);
      await askQuorum(table, { space: 'pay4', proposal: 'p1', digest }, ['Reject', 'Reject']);
      await until(async () => phaseOf(await first.ask('/proposals/p1', 'agent')) === 'declined');
      const { body } = await first.ask('/proposals/p1', 'agent');
      expect(body['proposal']).toMatchObject({
        ending: { why: 'impossible', reason: 'disagree' },
        agreements: [{ session: table.id, positive: false, rejected: ['finance', 'ops'] }],
      });
    });

    it('O-53: what was agreed while nobody could run it runs when somebody can', async () => {
      const [first, second] = take('pay5');
      const table = openTable(first.http);
      const call = payCall('pay5', 5);
      await agreeOn(call, [table]);
      await table.commit('sales', { authority_scope: scopeOf(call) });
      await until(async () => {
        const { body } = await second.ask('/proposals', 'finance');
        return JSON.stringify(body).includes(table.id);
      });
      await using bank = await second.connect('bank');
      await announcePay(bank);
      expect((await bank.next(isRequest)).payload['params']).toEqual(payment(5));
    });
  });
}

/** `lead` asks finance and ops, and commits what they say. */
async function askQuorum(table: MacpTable, call: AgreedCall, ballots: readonly string[]): Promise<void> {
  const change = { mode: QUORUM_MODE };
  const request = {
    request_id: 'r1',
    action: 'pay',
    summary: 'Pay the supplier',
    required_approvals: 2,
    details: attached(call),
  };
  const says = [
    ['sales', 'SessionStart', startPayload({ participants: ['finance', 'ops'] })],
    ['sales', 'ApprovalRequest', request],
    ['finance', ballots[0] ?? '', { request_id: 'r1' }],
    ['ops', ballots[1] ?? '', { request_id: 'r1' }],
    [
      'sales',
      'Commitment',
      commitPayload({ outcome_positive: ballots[0] === 'Approve', authority_scope: scopeOf(call) }),
    ],
  ] as const;
  for (const [who, type, payload] of says)
    expect(await table.send(who, type, payload, change)).toMatchObject({ ok: true });
}

function phaseOf({ body }: { readonly body: JsonObject }): unknown {
  return (body['proposal'] as JsonObject | undefined)?.['phase'];
}
