import { DecisionSession, HandoffSession, QuorumSession, TaskSession } from '@proffer/client/negotiation';
import { openTable } from '../negotiation/table.js';
import { expectThat, type LiveStory } from '../story.js';
import { createChronicle } from './chronicle.js';

/** One piece of work, four sessions: each outcome is the reason of the next session. */
export const release: LiveStory = {
  title: 'A release, in four modes',
  about: 'A team decides what to release, delegates the work, approves it, and hands over the watch.',
  async tell(print) {
    await using table = await openTable();
    const team = ['lead', 'ann', 'bob'];
    // Sessions that belong together carry the same context.
    const about = { participants: team, ttlMs: 120_000, contextId: 'release-2' };
    const [lead, ann, bob] = [table.join('lead'), table.join('ann'), table.join('bob')];

    await using decided = new DecisionSession(lead);
    await decided.start({ ...about, intent: 'What goes into release 2?' });
    await decided.propose('search', 'The new search');
    {
      await using voting = await DecisionSession.join(ann, decided.sessionId);
      await voting.vote('search', 'APPROVE');
    }
    await decided.commit({ action: 'release.search', authorityScope: 'team', reason: 'ann is for it' });
    createChronicle(print)(decided);

    await using delegated = new TaskSession(lead);
    await delegated.start({ ...about, intent: 'Build the new search' });
    await delegated.request('build', 'Build the new search', { assignee: 'bob' });
    {
      await using working = await TaskSession.join(bob, delegated.sessionId);
      await working.accept('build');
      await working.complete('build', { summary: 'it finds things', output: { version: '2.0' } });
    }
    await delegated.refresh();
    await delegated.commit({ action: 'build.accepted', authorityScope: 'team', reason: 'it works' });
    createChronicle(print)(delegated);

    await using approved = new QuorumSession(lead);
    await approved.start({ ...about, intent: 'Release 2.0?' });
    await approved.requestApproval('r1', 'release', { requiredApprovals: 2 });
    for (const client of [ann, bob]) {
      await using voting = await QuorumSession.join(client, approved.sessionId);
      await voting.approve('r1');
    }
    await approved.refresh();
    await approved.commit({ action: 'release.approved', authorityScope: 'production', reason: 'both' });
    createChronicle(print)(approved);

    await using handed = new HandoffSession(lead);
    await handed.start({ ...about, intent: 'Who watches it tonight?' });
    await handed.offer('watch', 'ann', { scope: 'production' });
    await handed.addContext('watch', { session: approved.sessionId, version: '2.0' });
    {
      await using taking = await HandoffSession.join(ann, handed.sessionId);
      await taking.accept('watch');
    }
    await handed.refresh();
    await handed.commit({
      action: 'watch.handed_over',
      authorityScope: 'production',
      reason: 'ann takes it',
    });
    createChronicle(print)(handed);

    const sessions = [decided, delegated, approved, handed];
    expectThat(
      sessions.every(({ projection }) => projection.isPositiveOutcome === true),
      'every session ends well',
    );
    expectThat(handed.projection.holder === 'ann', 'ann watches it');
    print('');
    print(`  Release 2.0 is out, approved by ${approved.projection.approvals}, and ann watches it.`);
  },
};
