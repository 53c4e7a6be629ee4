import { MacpError, ProposalSession } from '@proffer/client/negotiation';
import { createNarrator, openTable } from '../negotiation/table.js';
import { expectThat, type LiveStory, line } from '../story.js';

/** One party declines for good, and the outcome records it. */
export const terminalRejection: LiveStory = {
  title: 'No deal',
  about: 'A terminal rejection closes the negotiation, and is committed as a negative outcome.',
  async tell(print) {
    await using table = await openTable();
    const narrate = createNarrator(print);
    await using buyer = new ProposalSession(table.join('buyer'));
    await buyer.start({ intent: 'buy the archive', participants: ['buyer', 'owner'], ttlMs: 120_000 });
    await using owner = await ProposalSession.join(table.join('owner'), buyer.sessionId);

    await buyer.propose('p1', 'All of it', { summary: '$1m' });
    await owner.reject('p1', { terminal: true, reason: 'it is not for sale' });
    await buyer.refresh();
    expectThat(buyer.projection.phase === 'TerminalRejected', 'the rejection is terminal');

    const again = await buyer.propose('p2', 'Half of it').catch((error: unknown) => error);
    expectThat(again instanceof MacpError && again.code === 'SESSION_NOT_OPEN', 'no further offers');
    narrate(buyer);
    print(line('buyer', 'Proposal', `✗ ${again.code}: ${again.message}`));

    const outcome = { action: 'purchase.abandoned', authorityScope: 'acquisitions', reason: 'not for sale' };
    const positive = await buyer.commit(outcome).catch((error: unknown) => error);
    expectThat(positive instanceof MacpError && positive.code === 'POLICY_DENIED', 'there is no agreement');
    print(line('buyer', 'Commitment', `✗ ${positive.code}: ${JSON.stringify(positive.details['reasons'])}`));

    await buyer.commit({ ...outcome, outcomePositive: false });
    narrate(buyer);
    expectThat(buyer.projection.isPositiveOutcome === false, 'the outcome is negative');
    print('');
    print(
      `  The session is ${buyer.state}; the outcome is ${buyer.projection.commitment?.action}, a negative one.`,
    );
  },
};
