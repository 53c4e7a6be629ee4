import { describe, expect, it } from 'vitest';
import {
  OperationFailedError,
  ProposalExpiredError,
  ProposalRejectedError,
  type ProposalUpdate,
  ProposalWithdrawnError,
  RefusedError,
} from '../node.js';
import { startTestGateway } from '../testing/gateway.js';
import { first, join } from '../testing/joining.js';
import { serveWriting, writing, wrote } from '../testing/tools.js';

describe('a proposal', () => {
  it('O-12, O-14: settles with the result, and runs once', async () => {
    await using gateway = await startTestGateway();
    await using agent = await join(gateway, 'agent');
    await using reviewer = await join(gateway, 'reviewer');
    await using tools = await join(gateway, 'tools');
    const calls = await serveWriting(tools);
    reviewer.onProposal(({ fulfil }) => fulfil());

    expect(await agent.propose('tools/call', writing('/a'))).toEqual(wrote('/a'));
    expect(calls).toEqual([{ path: '/a' }]);
  });

  it('O-13: shows what really ran', async () => {
    await using gateway = await startTestGateway();
    await using agent = await join(gateway, 'agent');
    await using reviewer = await join(gateway, 'reviewer');
    await using tools = await join(gateway, 'tools');
    await serveWriting(tools);
    reviewer.onProposal(async ({ status, fulfil }) => {
      await status('considering', 'one moment');
      await fulfil(writing('/tmp/a'));
    });

    const updates: ProposalUpdate[] = [];
    const proposal = agent.propose('tools/call', writing('/a'), { id: 'p1' });
    proposal.onStatus((update) => updates.push(update));
    expect(proposal.id).toBe('p1');
    expect(proposal.amendment).toBeUndefined();
    expect(await proposal).toEqual(wrote('/tmp/a'));
    expect(proposal.amendment).toEqual([{ path: '/arguments/path', before: '/a', after: '/tmp/a' }]);
    expect(proposal.fulfilment).toMatchObject({ by: 'reviewer', executor: 'tools' });
    expect(updates.map(({ type }) => type)).toEqual(['accepted', 'status', 'fulfilled']);
    expect(updates[1]).toMatchObject({ by: 'reviewer', status: 'considering', message: 'one moment' });
  });

  it('O-18: fails with the reasons when everybody addressed has declined, and cannot run afterwards', async () => {
    await using gateway = await startTestGateway();
    await using agent = await join(gateway, 'agent');
    await using reviewer = await join(gateway, 'reviewer');
    reviewer.onProposal(({ reject }) => reject('unsafe', 'not this file'));

    const proposal = agent.propose('tools/call', writing('/a'), { to: 'reviewer' });
    const error = await proposal.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ProposalRejectedError);
    expect(error).toMatchObject({
      proposal: proposal.id,
      rejections: [{ by: 'reviewer', reason: 'unsafe', message: 'not this file' }],
      unansweredBy: [],
    });
    const late = reviewer.fulfil({ id: proposal.id, method: 'tools/call', params: writing('/a') });
    await expect(late).rejects.toMatchObject({ name: 'ProposalNotPendingError', state: 'withdrawn' });
  });

  it('O-17: one rejection of a proposal to everybody does not end it, unless that was asked for', async () => {
    await using gateway = await startTestGateway();
    await using agent = await join(gateway, 'agent');
    await using tools = await join(gateway, 'tools');
    await using reviewer = await join(gateway, 'reviewer');
    await serveWriting(tools);
    tools.onProposal(({ reject }) => reject('busy'));

    const patient = agent.propose('tools/call', writing('/a'));
    await first(patient.onStatus, ({ type }) => type === 'rejected');
    await reviewer.fulfil({ id: patient.id, method: 'tools/call', params: writing('/a') });
    expect(await patient).toEqual(wrote('/a'));
    expect(patient.rejections).toEqual([{ by: 'tools', reason: 'busy' }]);

    const impatient = agent.propose('tools/call', writing('/a'), { failOnFirstRejection: true });
    await expect(impatient).rejects.toBeInstanceOf(ProposalRejectedError);
  });

  it('O-18: whom nobody knows is absent', async () => {
    // Somebody who has just gone counts as there, and so does everybody just after a start: two seconds.
    await using gateway = await startTestGateway();
    await using agent = await join(gateway, 'agent');
    const error = await agent
      .propose('tools/call', writing('/a'), { to: ['nobody'] })
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: 'ProposalRejectedError', unansweredBy: ['nobody'] });
  });

  it('O-19: fails when its time is over', async () => {
    await using gateway = await startTestGateway();
    await using agent = await join(gateway, 'agent');
    const proposal = agent.propose('tools/call', writing('/a'), { ttl: 20 });
    await expect(proposal).rejects.toBeInstanceOf(ProposalExpiredError);
  });

  it('O-15: is withdrawn when the signal is aborted', async () => {
    await using gateway = await startTestGateway();
    await using agent = await join(gateway, 'agent');
    await using reviewer = await join(gateway, 'reviewer');
    const controller = new AbortController();
    const proposal = agent.propose('tools/call', writing('/a'), { signal: controller.signal });
    await proposal.accepted;
    const reason = new Error('no longer needed');
    controller.abort(reason);
    const error = await proposal.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ProposalWithdrawnError);
    expect(error).toMatchObject({ proposal: proposal.id, cause: reason });
    const late = reviewer.fulfil({ id: proposal.id, method: 'tools/call', params: writing('/a') });
    await expect(late).rejects.toMatchObject({ state: 'withdrawn', by: 'agent' });
  });

  it('O-12: the result still comes when somebody fulfils it before the withdrawal', async () => {
    await using gateway = await startTestGateway();
    await using agent = await join(gateway, 'agent');
    await using reviewer = await join(gateway, 'reviewer');
    await using tools = await join(gateway, 'tools');
    const controller = new AbortController();
    await serveWriting(tools, () => {
      controller.abort();
      return 'done';
    });
    reviewer.onProposal(({ fulfil }) => fulfil());
    const proposal = agent.propose('tools/call', writing('/a'), { signal: controller.signal });
    expect(await proposal).toEqual({ content: [{ type: 'text', text: 'done' }] });
  });

  it('O-15: tells a withdrawal by hand from others', async () => {
    await using gateway = await startTestGateway();
    await using agent = await join(gateway, 'agent');
    const proposal = agent.propose('tools/call', writing('/a'));
    await proposal.accepted;
    expect(await proposal.withdraw('changed my mind')).toMatchObject({ status: 'accepted' });
    await expect(proposal).rejects.toMatchObject({
      name: 'ProposalWithdrawnError',
      reason: 'changed my mind',
    });
  });

  it('fails with the JSON-RPC error of the tool; a tool result with isError is a result', async () => {
    await using gateway = await startTestGateway();
    await using agent = await join(gateway, 'agent');
    await using reviewer = await join(gateway, 'reviewer');
    await using tools = await join(gateway, 'tools');
    const failed = { content: [], isError: true };
    await serveWriting(tools, ({ path }) => {
      if (path === '/bad') throw new OperationFailedError(-32_000, 'no such folder', { path });
      return failed;
    });
    reviewer.onProposal(({ fulfil }) => fulfil().catch(() => {}));

    const error = await agent.propose('tools/call', writing('/bad')).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(OperationFailedError);
    expect(error).toMatchObject({ code: -32_000, message: 'no such folder', data: { path: '/bad' } });
    expect(await agent.propose('tools/call', writing('/full'))).toEqual(failed);
  });

  it('O-5, O-9: fails with the refusal, whether it is found here or by the gateway', async () => {
    await using gateway = await startTestGateway();
    await using agent = await join(gateway, 'agent');
    await using tools = await join(gateway, 'tools');
    const unnamed = agent.propose('tools/call', { arguments: {} });
    await expect(unnamed).rejects.toMatchObject({
      code: 'missing_field',
      details: { field: 'payload.params.name' },
    });
    const forbidden = await tools.propose('tools/call', writing('/a')).catch((reason: unknown) => reason);
    expect(forbidden).toBeInstanceOf(RefusedError);
    expect(forbidden).toMatchObject({ code: 'capability_violation' });
  });

  it('O-3: asked for again under its id after a restart, gives the outcome that it had', async () => {
    await using gateway = await startTestGateway();
    await using reviewer = await join(gateway, 'reviewer');
    await using tools = await join(gateway, 'tools');
    const calls = await serveWriting(tools);
    reviewer.onProposal(({ fulfil }) => fulfil());
    {
      await using agent = await join(gateway, 'agent');
      await agent.propose('tools/call', writing('/a'), { id: 'order-1' });
    }
    await using restarted = await join(gateway, 'agent');
    expect(await restarted.propose('tools/call', writing('/a'), { id: 'order-1' })).toEqual(wrote('/a'));
    expect(calls).toHaveLength(1);
    const other = restarted.propose('tools/call', writing('/b'), { id: 'order-1' });
    await expect(other).rejects.toMatchObject({ code: 'id_conflict' });
  });
});
