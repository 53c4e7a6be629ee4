import { expectThat, line, type Print } from '../story.js';
import { noticed, openOffice, report } from './office.js';

/** Agent-1 is preferred and takes what it can; anyone may take the rest. */
export async function simplePreference(print: Print): Promise<void> {
  await using office = await openOffice();
  const sent = await office.openPostRoom();
  const proposer = await office.join('agent');
  const preferred = await office.join('agent-1');
  const other = await office.join('agent-2');
  preferred.onProposal(async ({ id, params, fulfil }) => {
    if (JSON.stringify(params).includes('spring')) {
      await fulfil();
      print(line('agent-1', `fulfils ${id}`, '→ it is preferred, and goes first'));
    } else office.pass(500);
  });
  other.onProposal(async ({ id, targeting, fulfil }) => {
    if (targeting !== undefined) await noticed(other, 'opened', id);
    // Agent-1 may have been first; that is the point of a preference.
    await fulfil().catch(() => {});
  });

  const targeting = { preferred: ['agent-1'], fallback_timeout: 500 };
  const spring = proposer.propose('tools/call', report('spring'), { id: 'spring', targeting });
  await spring;
  expectThat(spring.fulfilment?.by === 'agent-1', 'the preferred agent took it');

  const autumn = proposer.propose('tools/call', report('autumn'), { id: 'autumn', targeting });
  autumn.onStatus(({ type }) => {
    if (type === 'opened') print(line('the gateway', 'opens autumn', '→ agent-1 let its time pass'));
  });
  await autumn;
  print(line('agent-2', 'fulfils autumn', '→ a preference excludes nobody'));
  expectThat(autumn.fulfilment?.by === 'agent-2', 'somebody else took what was left');
  expectThat(sent.join() === 'spring,autumn', 'each ran once');
}
