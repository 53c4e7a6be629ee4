import type { ProposalUpdate } from '@proffer/client';
import { expectThat, type LiveStory, line } from '../story.js';
import { openBank } from './bank.js';

const MINUTE = 60_000;

/** Nobody decides, so it escalates and is finally declined, although the gateway was down at the deadline. */
export const nobodyAnswers: LiveStory = {
  title: 'Nobody answers',
  about: 'A refund is escalated after ten minutes and declined after an hour, also across a restart.',
  async tell(print) {
    await using bank = await openBank();
    const agent = await bank.join('agent');
    const boss = await bank.join('boss');
    const steps: string[] = [];
    const refund = async (id: string) => {
      const params = { name: 'refund', arguments: { to: id } };
      const proposal = agent.propose('tools/call', params, { id });
      const escalated = new Promise<readonly string[]>((resolve) => {
        proposal.onStatus((update: ProposalUpdate) => {
          if (update.type === 'escalated') resolve(update.to);
          if (update.type === 'escalated' || update.type === 'declined') steps.push(`${id} ${update.type}`);
        });
      });
      await proposal.accepted;
      print(line('agent', `proposes ${id}`, '→ finance is asked'));
      return { proposal, escalated, seen: { id, method: 'tools/call', params } };
    };

    const first = await refund('lamp');
    const early = await boss.approve(first.seen).then(
      () => false,
      () => true,
    );
    expectThat(early, 'boss is not asked yet');
    await bank.restartAfter(20 * MINUTE);
    const asked = await first.escalated;
    expectThat(asked.join() === 'boss', 'boss is asked when the gateway is back');
    print(line('20 minutes', 'pass', `→ the gateway was down; escalated to ${asked.join()}`));
    await bank.restartAfter(MINUTE);
    const { isComplete } = await boss.approve(first.seen);
    expectThat(isComplete, 'what boss approves counts');
    await first.proposal;
    print(line('boss', 'approves lamp', '→ refunded'));

    const second = await refund('chair');
    const ending = second.proposal.then(
      () => undefined,
      (error: unknown) => error,
    );
    await bank.restartAfter(90 * MINUTE);
    const why = await ending;
    expectThat(why instanceof Error, 'nobody decided, and nobody is left to ask');
    print(line('90 minutes', 'pass', `→ ${why.message}`));

    expectThat(bank.paid.join() === 'lamp', 'only what somebody approved was refunded');
    const told = 'lamp escalated,chair escalated,chair declined';
    expectThat(steps.join() === told, `each step happened once, not ${steps.join()}`);
  },
};
