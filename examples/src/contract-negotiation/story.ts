import { MacpError, ProposalSession } from '@proffer/client/negotiation';
import { createNarrator, openTable } from '../negotiation/table.js';
import { expectThat, type LiveStory, line } from '../story.js';

/** Seller offers, buyer counters, both accept, the coordinator commits. */
export const contractNegotiation: LiveStory = {
  title: 'A negotiation',
  about: 'Seller and buyer bargain until both accept the same offer; the coordinator commits it.',
  async tell(print) {
    await using table = await openTable();
    const narrate = createNarrator(print);
    const session = new ProposalSession(table.join('coordinator'));
    await session.start({
      intent: 'negotiate service contract terms',
      participants: ['coordinator', 'buyer', 'seller'],
      ttlMs: 120_000,
    });

    // Seller's initial offer
    await session.propose('p1', 'Standard Package', { summary: '$100k/year, basic SLA', sender: 'seller' });

    // Buyer counter-proposes
    await session.counterPropose('p2', 'p1', 'Enhanced Package', {
      summary: '$80k/year, premium SLA, 24/7 support',
      sender: 'buyer',
    });

    // Seller accepts the counter
    await session.accept('p2', { reason: 'terms acceptable', sender: 'seller' });
    const outcome = {
      action: 'contract.agreed',
      authorityScope: 'procurement',
      reason: 'Both parties accepted p2',
    };
    const early = await session.commit(outcome).catch((error: unknown) => error);
    expectThat(
      early instanceof MacpError && early.code === 'INVALID_ENVELOPE',
      'nothing is committed before everybody agrees',
    );
    narrate(session);
    print(line('coordinator', 'Commitment', `✗ ${early.code}: ${early.message}`));

    // Buyer confirms
    await session.accept('p2', { reason: 'agreed', sender: 'buyer' });

    // Commit the agreement
    const { projection } = session;
    expectThat(projection.acceptedProposal() === 'p2', 'all acceptances agree on p2');
    await session.commit(outcome);
    narrate(session);

    expectThat(projection.proposals.get('p1')?.disposition === 'withdrawn', 'p2 has replaced p1');
    expectThat(projection.isPositiveOutcome === true, 'the projection knows the outcome');
    const late = await session.withdraw('p2', { sender: 'buyer' }).catch((error: unknown) => error);
    expectThat(
      late instanceof MacpError && late.code === 'SESSION_NOT_OPEN',
      'what is committed stays committed',
    );
    print('');
    print(`  The session is ${session.state}; the outcome is ${projection.commitment?.action}.`);
  },
};
