import { ProposalSession } from '@proffer/client';
import { createNarrator, openTable } from '../negotiation/table.js';
import { expectThat, type LiveStory, line } from '../story.js';

/** The seller dies in the middle, and another one takes its place with little more than the session's id. */
export const returningParty: LiveStory = {
  title: 'Back after a crash',
  about:
    'A party dies between sending and being told; the one that takes its place repeats, and nothing happens twice.',
  async tell(print) {
    await using table = await openTable();
    const narrate = createNarrator(print);
    await using buyer = new ProposalSession(table.sit('buyer'));
    await buyer.start({ intent: 'a used printer', participants: ['buyer', 'seller'], ttlMs: 120_000 });
    const { sessionId } = buyer;
    await buyer.propose('p1', 'As it is', { summary: '$50' });

    // What a careful program writes down before it sends: under which id.
    const notes = { sessionId, messageId: 'seller-counter-1' };
    const doomed = table.sit('seller');
    const before = await ProposalSession.join(doomed, sessionId);
    const unheard = before.counterPropose('p2', 'p1', 'With toner', {
      summary: '$70',
      messageId: notes.messageId,
    });
    for await (const { envelope } of buyer) if (envelope.message_type === 'CounterProposal') break;
    await before.close();
    await doomed.close();
    await unheard.catch(() => {});
    narrate(buyer);
    print(line('seller', 'crashes', 'and whatever it knew is gone'));

    await using seller = await ProposalSession.join(table.sit('seller'), notes.sessionId);
    const repeated = await seller.counterPropose('p2', 'p1', 'With toner', {
      summary: '$70',
      messageId: notes.messageId,
    });
    expectThat(repeated.duplicate, 'the offer had been accepted');
    print(line('seller', 'is back', `and repeats it: duplicate is ${repeated.duplicate}`));
    expectThat(seller.projection.proposals.size === 2, 'there are two offers, not three');

    await buyer.accept('p2', { reason: 'fair' });
    await seller.accept('p2');
    await buyer.refresh();
    await buyer.commit({ action: 'printer.sold', authorityScope: 'household', reason: 'both accept p2' });
    narrate(buyer);
    expectThat(buyer.projection.transcript.length === 6, 'nothing happened twice');
    print('');
    print(`  Six messages, one of them sent twice, and counted once.`);
  },
};
