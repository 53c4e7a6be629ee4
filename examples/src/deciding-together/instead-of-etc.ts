import { RefusedError } from '@proffer/client';
import { expectThat, type LiveStory, line } from '../story.js';
import { openDisk } from './disk.js';

const write = (path: string) => ({ name: 'write_file', arguments: { path, text: 'hello' } });

/** A reviewer counters with a different path; the agent accepts. */
export const insteadOfEtc: LiveStory = {
  title: '/tmp instead of /etc',
  about:
    'A reviewer offers other arguments in place of a no; the agent accepts, and exactly that runs, once.',
  async tell(print) {
    await using disk = await openDisk();
    const agent = await disk.join('agent');
    const reviewer = await disk.join('reviewer');
    const motd = agent.propose('tools/call', write('/etc/motd'), { id: 'motd' });
    await motd.accepted;
    print(line('agent', 'proposes motd', '→ write /etc/motd'));

    const countered = new Promise<void>((resolve) => {
      motd.onStatus((update) => {
        if (update.type === 'countered') resolve();
      });
    });
    await reviewer.counter('motd', write('/tmp/motd'), { reason: '/tmp instead of /etc' });
    await countered;
    const [offer] = motd.counters;
    expectThat(offer !== undefined, 'the agent hears of the offer');
    const [change] = offer.amendment;
    expectThat(change?.after === '/tmp/motd', 'and of what it changes');
    print(line('reviewer', 'offers', `→ ${change.after}: ${offer.reason}`));
    expectThat(disk.written.length === 0, 'an offer runs nothing');

    const own = await reviewer.accept(offer.id).catch((error: unknown) => error);
    expectThat(own instanceof RefusedError && own.code === 'not_proposer', 'only the proposer accepts');
    print(line('reviewer', 'accepts it', `✗ ${own.code}`));
    await motd.accept(offer.id);
    await motd;
    expectThat(motd.fulfilment?.by === 'reviewer', 'it ran on the authority of the reviewer');
    print(line('agent', 'accepts it', `→ run by ${motd.fulfilment.by}`));

    const twice = await agent.accept(offer.id).catch((error: unknown) => error);
    expectThat(twice instanceof RefusedError && twice.code === 'proposal_not_pending', 'it runs once');
    expectThat(disk.written.join() === '/tmp/motd', 'nothing but what was agreed on was written');
    print(line('tools', 'write', `→ ${disk.written.join()}, once`));
  },
};
