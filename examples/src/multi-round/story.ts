import { ProposalSession } from '@proffer/client/negotiation';
import { createNarrator, openTable } from '../negotiation/table.js';
import { expectThat, type LiveStory } from '../story.js';

/** Each party has its own connection; the terms change until both accept the third version. */
export const multiRound: LiveStory = {
  title: 'A negotiation in rounds',
  about: 'Vendor and client, each over a connection of its own, counter one another until both accept.',
  async tell(print) {
    await using table = await openTable();
    const narrate = createNarrator(print);
    await using vendor = new ProposalSession(table.join('vendor'));
    await vendor.start({ intent: 'a yearly plan', participants: ['vendor', 'client'], ttlMs: 120_000 });
    await using client = await ProposalSession.join(table.join('client'), vendor.sessionId);

    await vendor.propose('p1', 'Plan A', { summary: '$50k, 6-month term' });
    await client.counterPropose('p2', 'p1', 'Plan A Revised', { summary: '$45k, 12-month term' });
    await vendor.counterPropose('p3', 'p2', 'Plan A Final', {
      summary: '$47k, 12-month, quarterly reviews',
    });
    await client.accept('p3');
    await vendor.accept('p3');
    expectThat(vendor.projection.acceptedProposal() === 'p3', 'both accept the final version');
    await vendor.commit({ action: 'plan.agreed', authorityScope: 'sales', reason: 'Both accepted p3' });

    const live = vendor.projection.liveProposals().map(({ proposalId }) => proposalId);
    expectThat(live.join() === 'p3', 'what was countered is withdrawn');
    // The client's local projection reaches the same state, without a request.
    for await (const { envelope } of client) if (envelope.message_type === 'Commitment') break;
    expectThat(
      JSON.stringify(client.projection.transcript) === JSON.stringify(vendor.projection.transcript),
      'both have seen the same',
    );
    narrate(client);
    print('');
    print(`  Both sides end ${client.projection.phase} on ${client.projection.acceptedProposal()}.`);
  },
};
