import { describe, expect, it } from 'vitest';
import { startTestGateway } from '../../testing/gateway.js';
import { participant, WAYS } from '../testing/ways.js';
import { DecisionSession } from './decision-session.js';
import { ProposalSession } from './proposal-session.js';
import { QuorumSession } from './quorum-session.js';

const PARTICIPANTS = ['lead', 'ann', 'bob'];
const OUTCOME = { action: 'decision.selected', authorityScope: 'team', reason: 'as voted' };

describe.each(WAYS)('the other modes over $name', (way) => {
  it('N-14, N-15, N-16: a decision under a policy, for its initiator and for one who joins', async () => {
    await using gateway = await startTestGateway();
    const port = way.port(gateway);
    await using lead = participant(way, port, 'lead');
    await using ann = participant(way, port, 'ann');
    await lead.registerPolicy({
      policyId: 'policy.team.majority',
      mode: 'macp.mode.decision.v1',
      rules: { voting: { algorithm: 'majority' }, objection_handling: { critical_severity_vetoes: true } },
      schemaVersion: 3,
    });
    await using session = new DecisionSession(lead);
    await session.start({
      intent: 'which release',
      participants: PARTICIPANTS,
      ttlMs: 60_000,
      policyVersion: 'policy.team.majority',
    });
    await session.propose('p1', 'Release 2', { rationale: 'it is ready', supportingData: 'all tests pass' });
    await session.evaluate('p1', 'APPROVE', { confidence: 0.75, reason: 'looks good', sender: 'bob' });
    await session.object('p1', 'low', { sender: 'bob' });
    await expect(session.commit(OUTCOME)).rejects.toMatchObject({ code: 'POLICY_DENIED' });
    await using joined = await DecisionSession.join(ann, session.sessionId);
    await joined.vote('p1', 'APPROVE');
    await expect(joined.vote('p1', 'REJECT')).rejects.toMatchObject({ code: 'INVALID_ENVELOPE' });
    await expect(joined.object('p1', 'critical')).rejects.toMatchObject({ code: 'INVALID_ENVELOPE' });
    await session.refresh();
    expect(session.projection.explain()).toMatchObject({ outcomes: ['positive'], result: 'passed' });
    await session.commit(OUTCOME);
    await joined.refresh();
    const { projection } = joined;
    expect(projection).toMatchObject({ phase: 'Committed', isPositiveOutcome: true });
    expect(projection.proposals.get('p1')).toMatchObject({ proposer: 'lead', option: 'Release 2' });
    expect(projection.evaluations).toMatchObject([{ sender: 'bob', confidence: 0.75 }]);
    expect(projection.objections).toMatchObject([{ sender: 'bob', severity: 'low' }]);
    expect(projection.votes.get('p1')?.get('ann')).toMatchObject({ vote: 'APPROVE' });
    await expect(ProposalSession.join(ann, session.sessionId)).rejects.toMatchObject({
      code: 'MODE_NOT_SUPPORTED',
    });
  });

  it('N-17, N-18: an approval that fails, and one that succeeds', async () => {
    await using gateway = await startTestGateway();
    await using lead = participant(way, way.port(gateway), 'lead');
    const terms = { intent: 'deploy', participants: ['ann', 'bob', 'eve'], ttlMs: 60_000 };
    await using session = new QuorumSession(lead);
    await session.start(terms);
    await session.requestApproval('r1', 'deploy', { requiredApprovals: 2, summary: 'Deploy version 2' });
    await session.approve('r1', { sender: 'ann', reason: 'tested' });
    await expect(session.commit(OUTCOME)).rejects.toMatchObject({ code: 'INVALID_ENVELOPE' });
    await session.abstain('r1', { sender: 'bob' });
    await session.reject('r1', { sender: 'eve' });
    expect(session.projection.hasQuorum()).toBe(false);
    await expect(session.commit(OUTCOME)).rejects.toMatchObject({ code: 'POLICY_DENIED' });
    await session.commit({ ...OUTCOME, action: 'quorum.rejected', outcomePositive: false });
    expect(session.projection).toMatchObject({ phase: 'Committed', isPositiveOutcome: false, approvals: 1 });
    await using second = new QuorumSession(lead);
    await second.start(terms);
    await second.requestApproval('r2', 'deploy', { requiredApprovals: 1 });
    await second.approve('r2', { sender: 'eve' });
    expect(await second.commit(OUTCOME)).toMatchObject({ state: 'RESOLVED' });
  });
});
