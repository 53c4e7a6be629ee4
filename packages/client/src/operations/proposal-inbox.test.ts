import { describe, expect, it } from 'vitest';
import { type IncomingProposal, type Message, ProposalNotPendingError } from '../node.js';
import { startTestGateway } from '../testing/gateway.js';
import { first, join } from '../testing/joining.js';
import { serveWriting, writing } from '../testing/tools.js';

const isRejection = ({ kind }: Message): boolean => kind === 'mcpx.reject.proposal';

describe('proposals of others', () => {
  it('O-27: are passed on once each, including pending ones, to the first matching handler', async () => {
    await using gateway = await startTestGateway();
    await using agent = await join(gateway, 'agent');
    const early = agent.propose('tools/call', writing('/a'), { id: 'early' });
    await early.accepted;
    await using reviewer = await join(gateway, 'reviewer');
    expect(reviewer.pending.map(({ id }) => id)).toEqual(['early']);
    expect(reviewer.participants.map(({ id }) => id)).toEqual(['agent']);

    const seen: string[] = [];
    const note = (by: string) => (proposal: IncomingProposal) => seen.push(`${by} ${proposal.id}`);
    const done = first<Message>(
      (tell) => reviewer.on('message', tell),
      ({ id }) => id === 'late',
    );
    reviewer.onProposal(note('calls'), { filter: ({ method }) => method === 'tools/call' });
    reviewer.onProposal(note('rest'));
    await agent.propose('tools/list', undefined, { id: 'list' }).accepted;
    await agent.propose('tools/call', writing('/b'), { id: 'late', to: 'reviewer' }).accepted;
    await done;
    expect(seen).toEqual(['calls early', 'rest list', 'calls late']);
    const withdrawn = first<Message>(
      (tell) => reviewer.on('message', tell),
      ({ correlationId }) => correlationId === 'late',
    );
    await agent.withdraw(['early', 'list', 'late']);
    await withdrawn;
    expect(reviewer.pending).toEqual([]);
  });

  it('O-12: if two fulfil one, the second learns who was first', async () => {
    await using gateway = await startTestGateway();
    await using agent = await join(gateway, 'agent');
    await using reviewer = await join(gateway, 'reviewer');
    await using tools = await join(gateway, 'tools');
    const calls = await serveWriting(tools);
    const results: Promise<PromiseSettledResult<unknown>[]>[] = [];
    reviewer.onProposal(({ fulfil }) => results.push(Promise.allSettled([fulfil(), fulfil()])));
    await agent.propose('tools/call', writing('/a'));
    const [won, lost] = (await results[0]) ?? [];
    expect(won?.status).toBe('fulfilled');
    expect(lost).toMatchObject({ reason: expect.any(ProposalNotPendingError) });
    expect(lost).toMatchObject({ reason: { state: 'fulfilled', by: 'reviewer' } });
    expect(calls).toHaveLength(1);
  });

  it('O-12: the second fulfiller is told, and nothing breaks', async () => {
    await using gateway = await startTestGateway();
    await using agent = await join(gateway, 'agent');
    await using tools = await join(gateway, 'tools');
    await using one = await join(gateway, 'reviewer');
    await using two = await join(gateway, 'reviewer');
    await using three = await join(gateway, 'reviewer');
    await serveWriting(tools);
    const told = [one, two].map((reviewer) => first<unknown>((tell) => reviewer.on('error', tell)));
    for (const reviewer of [one, two, three]) reviewer.onProposal(({ fulfil }) => fulfil());
    await agent.propose('tools/call', writing('/a'));
    expect(await Promise.race(told)).toBeInstanceOf(ProposalNotPendingError);
  });

  it('O-17: are rejected at once as incapable if they name us and match no handler; others are left alone', async () => {
    await using gateway = await startTestGateway();
    await using agent = await join(gateway, 'agent');
    await using tools = await join(gateway, 'tools');
    const rejections: Message[] = [];
    agent.on('message', (message) => {
      if (isRejection(message)) rejections.push(message);
    });
    tools.onProposal(() => {}, { filter: ({ method }) => method === 'tools/list' });
    const open = agent.propose('tools/call', writing('/a'), { id: 'everybody' });
    const mine = agent.propose('tools/call', writing('/a'), { id: 'tools', to: 'tools' });
    await first(mine.onStatus, ({ type }) => type === 'declined');
    expect(mine.rejections).toEqual([{ by: 'tools', reason: 'incapable' }]);
    expect(rejections.map(({ correlationId }) => correlationId)).toEqual(['tools']);
    await open.withdraw();
    await mine.withdraw();
  });

  it('O-17: are not rejected by a mere observer', async () => {
    await using gateway = await startTestGateway();
    await using agent = await join(gateway, 'agent');
    await using reviewer = await join(gateway, 'reviewer');
    const proposal = agent.propose('tools/call', writing('/a'), { to: 'reviewer' });
    await proposal.accepted;
    await reviewer.chat('I have seen it');
    await agent.chat('so have I');
    expect(proposal.rejections).toEqual([]);
    await proposal.withdraw();
  });

  it('O-16: late answers are distinguished from those that count', async () => {
    await using gateway = await startTestGateway();
    await using agent = await join(gateway, 'agent');
    await using reviewer = await join(gateway, 'reviewer');
    const proposal = agent.propose('tools/call', writing('/a'));
    await proposal.accepted;
    expect(await reviewer.status(proposal.id, 'considering')).toMatchObject({ status: 'accepted' });
    expect(await reviewer.reject(proposal.id, 'busy')).toMatchObject({ status: 'accepted' });
    await proposal.withdraw();
    // The gateway says nothing to a late answer, so only this one is left to silence.
    await using hasty = await join(gateway, 'reviewer', { silence: 100 });
    expect(await hasty.reject(proposal.id, 'busy')).toMatchObject({ status: 'late' });
    await expect(reviewer.reject('nothing', 'busy')).rejects.toMatchObject({ code: 'unknown_proposal' });
    await expect(reviewer.withdraw(proposal.id)).rejects.toMatchObject({ code: 'not_proposer' });
  });

  it('a failing handler is reported, and the proposal is rejected if it named us', async () => {
    await using gateway = await startTestGateway();
    await using agent = await join(gateway, 'agent');
    await using reviewer = await join(gateway, 'reviewer');
    const broken = first<unknown>((tell) => reviewer.on('error', tell));
    reviewer.onProposal(() => {
      throw new Error('a secret');
    });
    const proposal = agent.propose('tools/call', writing('/a'), { to: 'reviewer' });
    const error = await proposal.catch((reason: unknown) => reason);
    expect(error).toMatchObject({ rejections: [{ by: 'reviewer', reason: 'other' }] });
    expect(await broken).toMatchObject({ message: 'a secret' });
  });
});
