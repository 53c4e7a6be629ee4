import { projectNegotiation } from '@proffer/core/negotiation';
import { describe, expect, it } from 'vitest';
import { startTestGateway } from '../../testing/gateway.js';
import { decodeText } from '../bytes.js';
import { MacpError } from '../macp-error.js';
import { participant, WAYS } from '../testing/ways.js';
import { ProposalSession } from './proposal-session.js';

const TERMS = { intent: 'agree on a price', participants: ['ann', 'bob'], ttlMs: 60_000 } as const;

const refusal = (promise: Promise<unknown>): Promise<MacpError> =>
  promise.then(
    () => Promise.reject(new Error('It was accepted.')),
    (error: unknown) => (error instanceof MacpError ? error : Promise.reject(error)),
  );

describe.each(WAYS)('a negotiation over $name', (way) => {
  it("N-7, N-9: runs the guide's example as it stands", async () => {
    await using gateway = await startTestGateway();
    await using client = participant(way, way.port(gateway), 'coordinator');
    const session = new ProposalSession(client);
    await session.start({
      intent: 'negotiate service contract terms',
      participants: ['coordinator', 'buyer', 'seller'],
      ttlMs: 120_000,
    });
    await session.propose('p1', 'Standard Package', { summary: '$100k/year, basic SLA', sender: 'seller' });
    await session.counterPropose('p2', 'p1', 'Enhanced Package', {
      summary: '$80k/year, premium SLA, 24/7 support',
      sender: 'buyer',
    });
    await session.accept('p2', { reason: 'terms acceptable', sender: 'seller' });
    expect(session.projection.isConverged()).toBe(false);
    await session.accept('p2', { reason: 'agreed', sender: 'buyer' });
    const { projection } = session;
    expect(projection.acceptedProposal()).toBe('p2');
    const accepted = await session.commit({
      action: 'contract.agreed',
      authorityScope: 'procurement',
      reason: 'Both parties accepted p2',
    });
    expect(accepted).toMatchObject({ duplicate: false, state: 'RESOLVED' });
    expect(projection.proposals.get('p1')).toMatchObject({ disposition: 'withdrawn', supersededBy: 'p2' });
    expect(projection.proposals.get('p2')).toMatchObject({ disposition: 'live', supersedes: 'p1' });
    expect(projection.liveProposals().map(({ proposalId }) => proposalId)).toEqual(['p2']);
    expect(projection).toMatchObject({ phase: 'Committed', isCommitted: true, isPositiveOutcome: true });
    expect(session.state).toBe('RESOLVED');
  });

  it('I-5: refuses calls on a closed session object before sending anything', async () => {
    await using gateway = await startTestGateway();
    await using ann = participant(way, way.port(gateway), 'ann');
    const session = new ProposalSession(ann);
    await session.start(TERMS);
    await session.close();
    for (const said of [session.propose('p1', 'Ten'), session.cancel()]) {
      expect(await refusal(said)).toMatchObject({ code: 'SESSION_NOT_OPEN', retryable: false });
    }
    expect(await ann.getSession(session.sessionId)).toMatchObject({
      state: 'OPEN',
      participant_activity: [{ participant_id: 'ann', message_count: 1 }],
    });
  });

  it('I-1: an accepted message does not fail because following has ended', async () => {
    await using gateway = await startTestGateway();
    await using ann = participant(way, way.port(gateway), 'ann');
    const session = new ProposalSession(ann);
    await session.start(TERMS);
    const proposed = session.propose('p1', 'Ten');
    await session.close();
    expect(await proposed).toMatchObject({ duplicate: false, state: 'OPEN' });
  });

  it('N-12: all followers have the same projection, including late ones', async () => {
    await using gateway = await startTestGateway();
    await using ann = participant(way, way.port(gateway), 'ann');
    await using bob = participant(way, way.port(gateway), 'bob');
    await using first = new ProposalSession(ann);
    await first.start(TERMS);
    await using second = await ProposalSession.join(bob, first.sessionId);
    await first.propose('p1', 'Ten', { details: { price: 10 }, tags: ['opening'] });
    await second.refresh();
    expect(second.projection.proposals.get('p1')).toMatchObject({ title: 'Ten', tags: ['opening'] });
    expect(decodeText(second.projection.proposals.get('p1')?.details ?? '')).toBe('{"price":10}');
    await second.counterPropose('p2', 'p1', 'Eight', { details: 'grüße' });
    await second.withdraw('p2', { reason: 'a mistake' });
    await second.propose('p3', 'Nine');
    await first.refresh();
    await first.reject('p3', { reason: 'hm' });
    await first.accept('p3');
    await second.accept('p3');
    await first.refresh();
    await first.commit({ action: 'sold', authorityScope: 'shop', reason: 'nine it is' });
    await using late = await ProposalSession.join(bob, first.sessionId);
    for await (const _ of second.envelopes()) {
      // Until the end.
    }
    for (const { projection } of [second, late]) {
      expect(projection.transcript).toEqual(first.projection.transcript);
      expect(projection.negotiation).toEqual(first.projection.negotiation);
      expect([...projection.proposals]).toEqual([...first.projection.proposals]);
      expect([...projection.accepts]).toEqual([...first.projection.accepts]);
      expect(projection.rejections).toEqual(first.projection.rejections);
    }
    const replayed = projectNegotiation(late.projection.transcript);
    expect(replayed.ok && replayed.value.negotiation).toEqual(first.projection.negotiation);
  });

  it('I-5, N-12: a refused message fails with its code and changes no projection', async () => {
    await using gateway = await startTestGateway();
    await using ann = participant(way, way.port(gateway), 'ann');
    await using session = new ProposalSession(ann);
    await session.start(TERMS);
    await session.propose('p1', 'Ten');
    const before = session.projection.transcript.length;
    const outcome = { action: 'sold', authorityScope: 'shop', reason: 'because' };
    const errors = await Promise.all([
      refusal(session.counterPropose('p2', 'nothing', 'Eight')),
      refusal(session.accept('p1', { sender: 'eve' })),
      refusal(session.propose('p1', 'Once more')),
      refusal(session.commit(outcome)),
      refusal(session.commit({ ...outcome, sender: 'bob' })),
    ]);
    expect(errors.map(({ code }) => code)).toEqual([
      'INVALID_ENVELOPE',
      'FORBIDDEN',
      'INVALID_ENVELOPE',
      'INVALID_ENVELOPE',
      'FORBIDDEN',
    ]);
    expect(errors.every(({ retryable }) => !retryable)).toBe(true);
    expect(errors[0]?.message).toContain('"nothing", which does not exist in this session');
    expect(errors[0]?.details).toMatchObject({ field: 'payload.supersedes_proposal_id' });
    expect(errors[0]?.sessionId).toBe(session.sessionId);
    await session.refresh();
    expect(session.projection.transcript).toHaveLength(before);
  });

  it('reports a session that is not started, and starts it once', async () => {
    await using gateway = await startTestGateway();
    await using ann = participant(way, way.port(gateway), 'ann');
    await using session = new ProposalSession(ann);
    const outcome = { action: 'sold', authorityScope: 'shop', reason: 'because' };
    const early = [session.commit(outcome), session.accept('p1'), session.cancel()];
    for (const { code, message } of await Promise.all(early.map(refusal))) {
      expect(code).toBe('SESSION_NOT_FOUND');
      expect(message).toContain('Call start()');
    }
    expect(session.projection.transcript).toEqual([]);
    await session.start(TERMS);
    expect((await refusal(session.start(TERMS))).code).toBe('SESSION_ALREADY_EXISTS');
  });

  it('N-10, N-11: a terminal rejection closes the negotiation, and is committed as a negative outcome', async () => {
    await using gateway = await startTestGateway();
    await using ann = participant(way, way.port(gateway), 'ann');
    await using session = new ProposalSession(ann);
    await session.start(TERMS);
    await session.propose('p1', 'Ten');
    await session.reject('p1', { terminal: true, reason: 'never', sender: 'bob' });
    expect(session.projection.phase).toBe('TerminalRejected');
    expect((await refusal(session.propose('p2', 'Nine'))).code).toBe('SESSION_NOT_OPEN');
    const outcome = { action: 'no.deal', authorityScope: 'shop', reason: 'bob will not' };
    const denied = await refusal(session.commit(outcome));
    expect(denied.code).toBe('POLICY_DENIED');
    expect(denied.details['reasons']).toEqual(expect.arrayContaining([expect.stringContaining('for good')]));
    await session.commit({ ...outcome, outcomePositive: false });
    expect(session.projection.isPositiveOutcome).toBe(false);
  });

  it('N-4: the initiator suspends, resumes and cancels, and the others see it', async () => {
    await using gateway = await startTestGateway();
    await using ann = participant(way, way.port(gateway), 'ann');
    await using session = new ProposalSession(ann);
    await session.start(TERMS);
    await session.suspend({ reason: 'lunch' });
    expect(session.state).toBe('SUSPENDED');
    expect(await ann.getSession(session.sessionId)).toMatchObject({ state: 'SUSPENDED', initiator: 'ann' });
    expect((await refusal(session.propose('p1', 'Ten'))).code).toBe('SESSION_NOT_OPEN');
    expect((await refusal(session.suspend())).code).toBe('SESSION_NOT_OPEN');
    await session.resume();
    await session.propose('p1', 'Ten');
    await session.cancel({ reason: 'no more time' });
    expect(session.state).toBe('CANCELLED');
    await session.cancel();
    const types: string[] = [];
    for await (const { sequence, envelope } of session) types[sequence] = envelope.message_type;
    expect(types.slice(1)).toEqual([
      'SessionStart',
      'SessionSuspend',
      'SessionResume',
      'Proposal',
      'SessionCancel',
    ]);
  });

  it('N-5: an expired session ends for its followers', async () => {
    await using gateway = await startTestGateway();
    await using ann = participant(way, way.port(gateway), 'ann');
    await using session = new ProposalSession(ann);
    await session.start({ ...TERMS, ttlMs: 50 });
    const types: string[] = [];
    for await (const { envelope } of session) types.push(envelope.message_type);
    expect(types).toEqual(['SessionStart', 'TtlExpired']);
    expect(session.state).toBe('EXPIRED');
  });

  it('N-6: the same message id counts once', async () => {
    await using gateway = await startTestGateway();
    await using ann = participant(way, way.port(gateway), 'ann');
    await using session = new ProposalSession(ann);
    await session.start(TERMS);
    expect(await session.propose('p1', 'Ten', { messageId: 'once' })).toMatchObject({ duplicate: false });
    expect(await session.propose('p1', 'Ten', { messageId: 'once' })).toMatchObject({ duplicate: true });
    expect(session.projection.transcript).toHaveLength(2);
  });

  it('N-13: a session under a registered policy is folded by its rules', async () => {
    await using gateway = await startTestGateway();
    await using manager = participant(way, way.port(gateway), 'reviewer');
    const rules = {
      counter_proposal: { retires_original: false },
      acceptance: { criterion: 'counterparty' },
    };
    const policy = { policyId: 'policy.shop', rules, description: 'for the shop' };
    await manager.registerPolicy(policy);
    await expect(manager.registerPolicy(policy)).rejects.toMatchObject({ code: 'INVALID_POLICY_DEFINITION' });
    await using session = new ProposalSession(manager);
    await session.start({ ...TERMS, policyVersion: 'policy.shop' });
    await session.propose('p1', 'Ten', { sender: 'ann' });
    await session.counterPropose('p2', 'p1', 'Eight', { sender: 'bob' });
    expect(session.projection.liveProposals()).toHaveLength(2);
    await session.accept('p2', { sender: 'ann' });
    expect(session.projection.isConverged()).toBe(true);
    await manager.unregisterPolicy('policy.shop');
    await using late = await ProposalSession.join(manager, session.sessionId);
    expect(late.projection.liveProposals()).toHaveLength(2);
    expect(late.projection.negotiation).toEqual(session.projection.negotiation);
    await expect(
      new ProposalSession(manager).start({ ...TERMS, policyVersion: 'policy.shop' }),
    ).rejects.toMatchObject({ code: 'UNKNOWN_POLICY_VERSION' });
    await session.commit({ action: 'sold', authorityScope: 'shop', reason: 'ann accepts' });
    expect(session.projection.isPositiveOutcome).toBe(true);
  });
});
