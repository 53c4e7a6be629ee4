import { decodeText, TaskSession } from '@proffer/client/negotiation';
import { openTable } from '../negotiation/table.js';
import { expectThat, type LiveStory } from '../story.js';
import { createChronicle } from './chronicle.js';

/** A task goes to whoever accepts it; its output is part of the record. */
export const task: LiveStory = {
  title: 'A delegated task',
  about: 'Nobody is named, one worker declines, another accepts, reports progress and delivers.',
  async tell(print) {
    await using table = await openTable();
    const chronicle = createChronicle(print);
    await using boss = new TaskSession(table.join('boss'));
    await boss.start({ intent: 'a translation', participants: ['ann', 'bob'], ttlMs: 120_000 });
    await using ann = await TaskSession.join(table.join('ann'), boss.sessionId);
    await using bob = await TaskSession.join(table.join('bob'), boss.sessionId);

    await boss.request('t1', 'Translate the greeting', { instructions: 'into German', input: 'Hello!' });
    await ann.reject('t1', { reason: 'busy' });
    await bob.accept('t1');
    await bob.update('t1', { progress: 0.5, message: 'half of it' });
    expectThat(bob.projection.progress === 0.5, 'the progress is in the record');
    await bob.complete('t1', { output: 'Hallo!', summary: 'one word' });
    await boss.refresh();
    const { report, assignee } = boss.projection;
    expectThat(report?.result === 'completed' && assignee === 'bob', 'bob has delivered');
    await boss.commit({ action: 'translation.accepted', authorityScope: 'texts', reason: 'it is right' });
    chronicle(boss);
    print('');
    print(`  ${assignee} delivered ${JSON.stringify(decodeText(report.output))}.`);
  },
};
