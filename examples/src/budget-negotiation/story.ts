import { MacpError, ProposalSession } from '@proffer/client/negotiation';
import { createNarrator, openTable } from '../negotiation/table.js';
import { expectThat, type LiveStory, line } from '../story.js';

/** Three departments share a budget under a custom policy. */
export const budgetNegotiation: LiveStory = {
  title: 'Three parties, one budget',
  about: 'A registered policy keeps countered offers on the table, limits the rounds and names who commits.',
  async tell(print) {
    await using table = await openTable();
    const narrate = createNarrator(print);
    const finance = table.join('finance');
    await finance.registerPolicy({
      policyId: 'policy.budget',
      description: 'Everybody but the proposer accepts; two rounds; finance commits.',
      rules: {
        acceptance: { criterion: 'counterparty' },
        counter_proposal: { max_rounds: 2, retires_original: false },
        withdrawal: { authority: 'author' },
        commitment: { authority: 'designated_role', designated_roles: ['finance'] },
      },
    });
    await using research = new ProposalSession(table.join('research'));
    await research.start({
      intent: 'share the budget of next year',
      participants: ['research', 'sales', 'support'],
      ttlMs: 120_000,
      policyVersion: 'policy.budget',
    });
    const { sessionId } = research;
    await using sales = await ProposalSession.join(table.join('sales'), sessionId);
    await using support = await ProposalSession.join(table.join('support'), sessionId);
    await using treasury = await ProposalSession.join(finance, sessionId);

    await research.propose('b1', 'Research first', { summary: '60 / 20 / 20', details: { research: 60 } });
    await sales.counterPropose('b2', 'b1', 'Sales first', { summary: '30 / 50 / 20' });
    await support.counterPropose('b3', 'b1', 'The middle', { summary: '45 / 30 / 25' });
    expectThat(support.projection.liveProposals().length === 3, 'countered offers stay on the table');

    const third = await sales.counterPropose('b4', 'b3', 'Again').catch((error: unknown) => error);
    expectThat(third instanceof MacpError, 'the policy allows two rounds');
    narrate(support);
    print(line('sales', 'CounterProposal', `✗ ${third.code}: ${third.message}`));

    await research.accept('b3', { reason: 'enough for one more project' });
    const alone = await research
      .commit({ action: 'budget.agreed', authorityScope: 'finance', reason: 'I like it' })
      .catch((error: unknown) => error);
    expectThat(alone instanceof MacpError && alone.code === 'FORBIDDEN', 'only finance commits');
    narrate(research);
    print(line('research', 'Commitment', `✗ ${alone.code}: ${alone.message}`));
    await sales.accept('b3', { reason: 'fine' });

    // Support made the proposal, so its acceptance is not needed.
    await treasury.refresh();
    expectThat(treasury.projection.isConverged('finance'), 'everybody but the proposer accepts b3');
    await treasury.commit({ action: 'budget.agreed', authorityScope: 'finance', reason: '45 / 30 / 25' });
    narrate(treasury);
    expectThat(treasury.projection.isPositiveOutcome === true, 'the budget is shared');
    print('');
    print(`  The budget is ${treasury.projection.proposals.get('b3')?.summary}, committed by finance.`);
  },
};
