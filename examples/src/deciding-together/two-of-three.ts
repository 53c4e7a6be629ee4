import { ProposalNotPendingError, RefusedError } from '@proffer/client';
import { expectThat, type LiveStory, line } from '../story.js';
import { openBank } from './bank.js';

/** A payment runs once two of three people have signed it. */
export const twoOfThree: LiveStory = {
  title: 'Two of three sign a payment',
  about: 'Two different people approve exactly the same call; only then does it run, and only once.',
  async tell(print) {
    await using bank = await openBank();
    const agent = await bank.join('agent');
    const ann = await bank.join('ann');
    const bob = await bank.join('bob');
    const cleo = await bank.join('cleo');
    const boss = await bank.join('boss');
    const params = { name: 'pay', arguments: { to: 'printer', amount: 900 } };
    const payment = agent.propose('tools/call', params, { id: 'invoice' });
    await payment.accepted;
    print(line('agent', 'proposes invoice', '→ pay the printer 900'));
    const seen = { id: 'invoice', method: 'tools/call', params };

    const stranger = await boss.approve(seen).catch((error: unknown) => error);
    expectThat(
      stranger instanceof RefusedError && stranger.code === 'not_approver',
      'boss is not in finance',
    );
    print(line('boss', 'approves invoice', `✗ ${stranger.code}`));

    const first = await ann.approve(seen);
    expectThat(!first.isComplete && first.given === 1 && first.needed === 2, 'one signature is not enough');
    print(line('ann', 'approves invoice', `→ ${first.given} of ${first.needed}`));
    const twice = await ann.approve(seen).catch((error: unknown) => error);
    expectThat(twice instanceof RefusedError && twice.code === 'already_approved', 'nobody signs twice');
    print(line('ann', 'approves invoice', `✗ ${twice.code}`));

    const less = { ...params, arguments: { to: 'printer', amount: 90 } };
    const other = await bob.approve(seen, { params: less });
    expectThat(!other.isComplete && other.given === 1, 'another amount is another payment');
    print(line('bob', 'approves 90', `→ ${other.given} of ${other.needed}, counted for itself`));
    expectThat(bank.paid.length === 0, 'nothing was paid before two agreed');

    const second = await cleo.approve(seen);
    expectThat(second.isComplete && second.given === 2, 'two of three signed the same');
    print(line('cleo', 'approves invoice', `→ ${second.given} of ${second.needed}`));
    await payment;
    const late = await bob.approve(seen).catch((error: unknown) => error);
    expectThat(late instanceof ProposalNotPendingError, 'the third comes too late');
    expectThat(bank.paid.join() === 'printer', 'it was paid once');
    print(line('tools', 'pays', '→ the printer, once'));
  },
};
