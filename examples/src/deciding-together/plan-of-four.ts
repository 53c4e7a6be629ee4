import { DependencyFailedError, OperationFailedError, type ProposalPromise } from '@proffer/client';
import { expectThat, type LiveStory, line } from '../story.js';
import { CLOSED_ACCOUNT, openBank } from './bank.js';

const STEPS = ['landlord', 'printer', CLOSED_ACCOUNT, 'caterer'] as const;

/** Four payments, each depending on the one before; all are approved at once, and the third fails. */
export const planOfFour: LiveStory = {
  title: 'A plan of four',
  about:
    'Four calls that depend on each other are approved at once. The third fails, so the fourth never runs.',
  async tell(print) {
    await using bank = await openBank();
    const agent = await bank.join('agent');
    const ann = await bank.join('ann');
    const bob = await bank.join('bob');
    const plan: ProposalPromise<unknown>[] = [];
    for (const to of STEPS) {
      const before = plan.slice(-1);
      const step = agent.propose('tools/call', { name: 'pay', arguments: { to } }, { dependsOn: before });
      await step.accepted;
      plan.push(step);
      print(line('agent', `pays ${to}`, before.length === 0 ? '' : '→ after the one before'));
    }
    const endings = plan.map((step) =>
      step.then(
        () => 'paid',
        (error: unknown) => error,
      ),
    );

    // In reverse order, because approval does not depend on order.
    for (const person of [ann, bob]) {
      while (person.pending.length < STEPS.length) await new Promise((resolve) => setImmediate(resolve));
      const outcomes = await person.approveAll(person.pending.toReversed());
      expectThat(
        outcomes.every(({ outcome }) => outcome === 'approved'),
        'every step is approved',
      );
      print(line(person.name, 'approves all', person === bob ? '→ 2 of 2, the plan begins' : '→ 1 of 2'));
    }

    const [first, second, third, fourth] = await Promise.all(endings);
    expectThat(first === 'paid' && second === 'paid', 'the first two are paid');
    print(line('tools', 'pays', `→ ${bank.paid.join(', then ')}`));
    expectThat(third instanceof OperationFailedError, 'the third fails');
    print(line('tools', 'fails', `✗ ${third.message}`));
    expectThat(fourth instanceof DependencyFailedError, 'the fourth is declined');
    expectThat(fourth.outcome === 'error', 'and says why');
    print(
      line(
        'gateway',
        'declines',
        `✗ ${STEPS[3]}: a step before it ${fourth.outcome === 'error' ? 'failed' : fourth.outcome}`,
      ),
    );
    expectThat(bank.paid.join() === 'landlord,printer', 'each step ran once, in order, and the last never');
  },
};
