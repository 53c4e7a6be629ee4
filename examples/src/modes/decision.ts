import { DecisionSession, MacpError } from '@proffer/client/negotiation';
import { openTable } from '../negotiation/table.js';
import { expectThat, type LiveStory, line } from '../story.js';
import { createChronicle } from './chronicle.js';

/** Three colleagues vote under a majority policy; the vote, and not the lead, decides. */
export const decision: LiveStory = {
  title: 'A decision',
  about: 'Options are weighed and voted on. Under a majority policy, the vote decides what can be committed.',
  async tell(print) {
    await using table = await openTable();
    const chronicle = createChronicle(print);
    await using lead = new DecisionSession(table.join('lead'));
    await lead.start({
      intent: 'Where do we meet?',
      participants: ['lead', 'ann', 'bob'],
      ttlMs: 120_000,
      policyVersion: 'policy.std.majority',
    });
    await using ann = await DecisionSession.join(table.join('ann'), lead.sessionId);
    await using bob = await DecisionSession.join(table.join('bob'), lead.sessionId);

    await lead.propose('berlin', 'Berlin', { rationale: 'it is near' });
    await ann.evaluate('berlin', 'APPROVE', { confidence: 0.9, reason: 'cheap trains' });
    await bob.object('berlin', 'medium', { reason: 'it rains there' });
    await bob.vote('berlin', 'REJECT');
    const outcome = { action: 'meeting.berlin', authorityScope: 'team', reason: 'the vote' };
    const early = await lead.commit(outcome).catch((error: unknown) => error);
    expectThat(
      early instanceof MacpError && early.code === 'POLICY_DENIED',
      'one vote against is no majority',
    );
    await lead.vote('berlin', 'APPROVE');
    await ann.vote('berlin', 'APPROVE');
    await lead.commit(outcome);
    chronicle(lead);
    print(line('lead', 'tried too early', `✗ ${early.code}`));
    const votes = lead.projection.votes.get('berlin');
    expectThat(votes?.size === 3, 'everyone voted once');
    print('');
    print(
      `  ${lead.projection.explain()?.approvals} of ${votes.size} approve, so ${outcome.action} is committed.`,
    );
  },
};
