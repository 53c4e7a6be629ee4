import { decodeText, HandoffSession } from '@proffer/client/negotiation';
import { openTable } from '../negotiation/table.js';
import { expectThat, type LiveStory } from '../story.js';
import { createChronicle } from './chronicle.js';

/** A responsibility has one holder at every moment: the owner, until the handoff is committed. */
export const handoff: LiveStory = {
  title: 'A handoff',
  about:
    'A pager is offered with notes to one colleague after the other, and stays with its owner until committed.',
  async tell(print) {
    await using table = await openTable();
    const chronicle = createChronicle(print);
    await using owner = new HandoffSession(table.join('owner'));
    await owner.start({ intent: 'the pager', participants: ['owner', 'ann', 'bob'], ttlMs: 120_000 });
    await using ann = await HandoffSession.join(table.join('ann'), owner.sessionId);
    await using bob = await HandoffSession.join(table.join('bob'), owner.sessionId);

    await owner.offer('h1', 'ann', { scope: 'pager', reason: 'my shift ends' });
    await ann.decline('h1', { reason: 'on leave' });
    await owner.offer('h2', 'bob', { scope: 'pager' });
    await owner.addContext('h2', 'Incident 4711: the disk is full.');
    await bob.accept('h2');
    await owner.refresh();
    const before = owner.projection.holder;
    expectThat(before === 'owner', 'accepting alone hands nothing over');
    await owner.commit({ action: 'pager.handed_over', authorityScope: 'on-call', reason: 'bob takes it' });
    const after: string | undefined = owner.projection.holder;
    expectThat(after === 'bob', 'the commitment hands it over');
    chronicle(owner);
    const [notes] = owner.projection.acceptedOffer()?.context ?? [];
    print('');
    print(`  bob holds it, and knows: ${decodeText(notes?.context ?? '')}`);
  },
};
