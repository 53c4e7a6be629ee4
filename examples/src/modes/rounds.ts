import { MultiRoundSession } from '@proffer/client/negotiation';
import { openTable } from '../negotiation/table.js';
import { expectThat, type LiveStory } from '../story.js';
import { createChronicle } from './chronicle.js';

/** Each reads the others' values, and moves towards them until all are the same. */
export const rounds: LiveStory = {
  title: 'Values that meet',
  about: 'Three estimates move towards the middle one, round by round, until all are the same.',
  async tell(print) {
    await using table = await openTable();
    const chronicle = createChronicle(print);
    const names = ['ann', 'bob', 'cem'];
    await using ann = new MultiRoundSession(table.join('ann'));
    await ann.start({ intent: 'How many days?', participants: names, ttlMs: 120_000 });
    await using bob = await MultiRoundSession.join(table.join('bob'), ann.sessionId);
    await using cem = await MultiRoundSession.join(table.join('cem'), ann.sessionId);

    const parties = [
      { session: ann, days: 2 },
      { session: bob, days: 5 },
      { session: cem, days: 6 },
    ];
    for (const { session, days } of parties) await session.contribute(String(days));
    while (ann.projection.convergedValue() === undefined) {
      for (const party of parties) {
        await party.session.refresh();
        const [, middle = 0] = [...party.session.projection.values.values()]
          .map(Number)
          .sort((a, b) => a - b);
        if (middle === party.days) continue;
        party.days += Math.sign(middle - party.days);
        await party.session.contribute(String(party.days));
      }
      await ann.refresh();
    }
    const agreed = ann.projection.convergedValue();
    expectThat(agreed === '5', 'they meet at the middle value');
    await ann.commit({ action: 'estimate.agreed', authorityScope: 'plan', reason: `all say ${agreed}` });
    chronicle(ann);
    print('');
    print(`  All say ${agreed} days, after ${ann.projection.round} values.`);
  },
};
