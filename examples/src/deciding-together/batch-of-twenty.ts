import { expectThat, type LiveStory, line } from '../story.js';
import { openBank } from './bank.js';

const COUNT = 20;

/** Twenty refunds are approved in one action; one gets an objection between review and approval. */
export const batchOfTwenty: LiveStory = {
  title: 'A batch of twenty',
  about:
    'Twenty refunds are approved at once. One changed since it was shown: it is left alone and reported.',
  async tell(print) {
    await using bank = await openBank();
    const agent = await bank.join('agent');
    const ann = await bank.join('ann');
    const bob = await bank.join('bob');
    const refunds = Array.from({ length: COUNT }, (_, index) =>
      agent.propose(
        'tools/call',
        { name: 'refund', arguments: { to: `customer ${index + 1}` } },
        { id: `refund-${index + 1}`, onRejection: 'wait' },
      ),
    );
    await Promise.all(refunds.map(({ accepted }) => accepted));
    while (ann.pending.length < COUNT) await new Promise((resolve) => setImmediate(resolve));
    const shown = ann.pending;
    print(line('ann', `looks at ${shown.length}`, '→ all of them alike'));

    await bob.reject('refund-7', 'unsafe', 'Paid back last week.');
    print(line('bob', 'rejects refund-7', '→ after ann has seen it'));

    const outcomes = await ann.approveAll(shown);
    const approved = outcomes.filter(({ outcome }) => outcome === 'approved');
    const changed = outcomes.find(({ outcome }) => outcome === 'changed');
    expectThat(approved.length === COUNT - 1, 'nineteen are as they were shown');
    expectThat(changed?.outcome === 'changed' && changed.id === 'refund-7', 'one is not');
    print(
      line('ann', 'approves all', `→ ${approved.length} approved, 1 left alone: ${changed.changed.join()}`),
    );

    const paid = refunds.filter(({ id }) => id !== 'refund-7');
    await Promise.all(paid);
    expectThat(new Set(bank.paid).size === COUNT - 1, 'each of the nineteen was refunded, once');
    expectThat(!bank.paid.includes('customer 7'), 'the one that changed was not');
    print(line('tools', 'refunds', `→ ${bank.paid.length}, each once`));
    await agent.withdraw('refund-7');
    await refunds[6]?.catch(() => undefined);
  },
};
