import { expectThat, line, type Print } from '../story.js';
import { noticed, openOffice, report } from './office.js';

/** Agent-1 declines at once; agent-2 takes it, and nobody waits for a timeout. */
export async function quickRejection(print: Print): Promise<void> {
  await using office = await openOffice();
  const sent = await office.openPostRoom();
  const proposer = await office.join('agent');
  const first = await office.join('agent-1');
  const other = await office.join('agent-2');
  first.onProposal(({ id, reject }) => reject(id === 'summer' ? 'busy' : 'policy'));
  const stopHelping = other.onProposal(async ({ id, fulfil }) => {
    await noticed(other, 'declined', id);
    await fulfil();
  });

  // The preference window is five seconds; the rejection ends the wait at once.
  const targeting = { preferred: ['agent-1'], quick_reject: true, fallback_timeout: 5_000 };
  const proposal = proposer.propose('tools/call', report('summer'), { id: 'summer', targeting });
  const happened: string[] = [];
  proposal.onStatus((update) => {
    happened.push(update.type);
    if (update.type === 'rejected') print(line(update.by, 'rejects summer', `→ ${update.reason}`));
    if (update.type === 'fulfilled') print(line(update.by, 'fulfils summer', '→ without a timeout'));
  });
  await proposal;
  expectThat(
    happened.join() === 'accepted,rejected,declined,fulfilled',
    'the rejection came first, no window passed',
  );
  expectThat(proposal.fulfilment?.by === 'agent-2', 'the other agent took it');
  expectThat(sent.join() === 'summer', 'it ran once');

  stopHelping();
  // Agent-1 is the only one asked, and rejects: the proposer learns it at once. `busy` alone would not end
  // the wait.
  const declined = await proposer
    .propose('tools/call', report('winter'), { id: 'winter', to: 'agent-1' })
    .catch((error: unknown) => error);
  const reason = declined instanceof Error ? declined.message : '';
  print(line('agent', 'hears of winter', `✗ ${reason}`));
  expectThat(reason.includes('agent-1: policy'), 'the proposer knows who would not, and why');
}
