import { describe, expect, it } from 'vitest';
import { startTestGateway } from '../testing/gateway.js';
import { join } from '../testing/joining.js';
import { serveWriting, writing, wrote } from '../testing/tools.js';

describe('counter-offers', () => {
  it('O-40: a reviewer makes a counter-offer, the proposer accepts, and exactly that runs once', async () => {
    await using gateway = await startTestGateway();
    await using agent = await join(gateway, 'agent');
    await using reviewer = await join(gateway, 'reviewer');
    await using tools = await join(gateway, 'tools');
    const calls = await serveWriting(tools);
    const proposal = agent.propose('tools/call', writing('/etc/motd'));
    const countered = new Promise<string>((resolve) => {
      proposal.onStatus((update) => {
        if (update.type === 'countered') resolve(update.id);
      });
    });
    await proposal.accepted;
    const offered = await reviewer.counter(proposal.id, writing('/tmp/motd'), { reason: 'not in /etc' });
    expect(await countered).toBe(offered.id);
    expect(proposal.counters).toMatchObject([
      {
        id: offered.id,
        by: 'reviewer',
        answers: proposal.id,
        reason: 'not in /etc',
        params: writing('/tmp/motd'),
        amendment: [{ path: '/arguments/path', before: '/etc/motd', after: '/tmp/motd' }],
      },
    ]);
    await expect(reviewer.accept(offered.id)).rejects.toMatchObject({ code: 'not_proposer' });
    await expect(agent.accept(offered.id, 'sha256:0')).rejects.toMatchObject({ code: 'digest_mismatch' });
    await proposal.accept(offered.id);
    expect(await proposal).toEqual(wrote('/tmp/motd'));
    expect(proposal.fulfilment).toMatchObject({ by: 'reviewer' });
    expect(calls).toHaveLength(1);
    await expect(agent.accept(offered.id)).rejects.toMatchObject({ code: 'proposal_not_pending' });
  });

  it('O-40: propose() asks what to do with one, and accepts it if told to', async () => {
    await using gateway = await startTestGateway();
    await using agent = await join(gateway, 'agent');
    await using reviewer = await join(gateway, 'reviewer');
    await using tools = await join(gateway, 'tools');
    await serveWriting(tools);
    const asked: string[] = [];
    const proposal = agent.propose('tools/call', writing('/etc/motd'), {
      onCounter: ({ reason }) => {
        asked.push(reason);
        return reason === 'in /tmp, then';
      },
    });
    await proposal.accepted;
    await reviewer.counter(proposal.id, writing('/var/motd'), { reason: 'not in /etc' });
    await reviewer.counter(proposal.id, writing('/tmp/motd'), { reason: 'in /tmp, then' });
    expect(await proposal).toEqual(wrote('/tmp/motd'));
    expect(asked).toEqual(['not in /etc', 'in /tmp, then']);
  });

  it('O-40: the proposer answers with an offer of its own, which is approved by its digest', async () => {
    await using gateway = await startTestGateway();
    await using agent = await join(gateway, 'agent');
    await using reviewer = await join(gateway, 'reviewer');
    await using tools = await join(gateway, 'tools');
    await serveWriting(tools);
    const proposal = agent.propose('tools/call', writing('/etc/motd'));
    await proposal.accepted;
    const first = await reviewer.counter(proposal.id, writing('/tmp/motd'), { reason: 'not in /etc' });
    await agent.counter(proposal.id, writing('/home/motd'), { reason: 'halfway', answers: first.id });
    const seen = { id: proposal.id, method: 'tools/call', params: writing('/home/motd') };
    await reviewer.approve({ ...seen, params: writing('/etc/motd') }, { params: seen.params });
    expect(await proposal).toEqual(wrote('/home/motd'));
    expect(proposal.counters.map(({ by, answers }) => [by, answers])).toEqual([
      ['reviewer', proposal.id],
      ['agent', first.id],
    ]);
  });
});
