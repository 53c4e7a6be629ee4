import { RefusedError } from '@proffer/client';
import { expectThat, line, type Print } from '../story.js';
import { noticed, openOffice, report } from './office.js';

/** Only the trusted agent may take it until its time is over; then anyone may. */
export async function exclusiveWithFallback(print: Print): Promise<void> {
  await using office = await openOffice();
  const sent = await office.openPostRoom();
  const proposer = await office.join('agent');
  const trusted = await office.join('trusted-agent');
  const other = await office.join('agent-2');
  trusted.onProposal(({ status }) => status('considering'));
  const refusals: string[] = [];
  other.onProposal(async ({ id, fulfil }) => {
    const opened = noticed(other, 'opened', id);
    await fulfil().catch((error: unknown) => {
      if (!(error instanceof RefusedError)) throw error;
      refusals.push(error.code);
      print(line('agent-2', `fulfils ${id}`, `✗ ${error.code}`));
    });
    office.pass(500);
    await opened;
    await fulfil();
  });

  const proposal = proposer.propose('tools/call', report('accounts'), {
    id: 'accounts',
    targeting: {
      preferred: ['trusted-agent'],
      exclusive: true,
      exclusive_timeout: 500,
      fallback_to_broadcast: true,
    },
  });
  proposal.onStatus((update) => {
    if (update.type === 'opened') print(line('the gateway', 'opens accounts', '→ the reservation is over'));
    if (update.type === 'fulfilled') print(line(update.by, 'fulfils accounts', '→ anybody may now'));
  });
  await proposal;
  expectThat(refusals.join() === 'reserved', 'nobody else could have it while it was reserved');
  expectThat(proposal.fulfilment?.by === 'agent-2', 'after that, anybody could');
  expectThat(sent.join() === 'accounts', 'it ran once');
}
