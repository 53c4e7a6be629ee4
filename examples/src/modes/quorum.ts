import { MacpError, QuorumSession } from '@proffer/client/negotiation';
import { openTable } from '../negotiation/table.js';
import { expectThat, type LiveStory, line } from '../story.js';
import { createChronicle } from './chronicle.js';

/** Two of three must approve; nobody votes twice. */
export const quorum: LiveStory = {
  title: 'A quorum',
  about:
    'A release needs two approvals of three. A ballot cannot be changed, and too few cannot be committed.',
  async tell(print) {
    await using table = await openTable();
    const chronicle = createChronicle(print);
    await using ops = new QuorumSession(table.join('ops'));
    await ops.start({ intent: 'release 2.0', participants: ['ann', 'bob', 'cem'], ttlMs: 120_000 });
    await using ann = await QuorumSession.join(table.join('ann'), ops.sessionId);
    await using bob = await QuorumSession.join(table.join('bob'), ops.sessionId);
    await using cem = await QuorumSession.join(table.join('cem'), ops.sessionId);

    await ops.requestApproval('r1', 'release', { requiredApprovals: 2, summary: 'version 2.0' });
    await ann.approve('r1');
    await bob.reject('r1', { reason: 'not on a Friday' });
    const again = await bob.approve('r1').catch((error: unknown) => error);
    expectThat(again instanceof MacpError, 'a ballot stays as it is');
    expectThat(!ann.projection.hasQuorum(), 'one approval is not enough');
    await cem.approve('r1');
    await ops.refresh();
    const { approvals, requiredApprovals } = ops.projection;
    expectThat(ops.projection.hasQuorum(), 'two approvals are enough');
    await ops.commit({ action: 'release.approved', authorityScope: 'production', reason: 'two of three' });
    chronicle(ops);
    print(line('bob', 'tried again', `✗ ${again.code}`));
    print('');
    print(`  ${approvals} of ${requiredApprovals} required approvals: the release is committed.`);
  },
};
