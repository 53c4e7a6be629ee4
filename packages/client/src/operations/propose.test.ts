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
import { startRelay } from '../testing/relay.js';
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

  it('I-6: is accepted before anything else becomes of it, also where the client reads all of that at once', async () => {
    await using gateway = await startTestGateway();
    await using relay = await startRelay(gateway.port);
    await using agent = await join(relay, 'agent');
    await using reviewer = await join(gateway, 'reviewer');
    const rejected = new Promise((resolve) => {
      reviewer.onProposal(({ reject }) => reject('unsafe').then(resolve));
    });

    const held = relay.holdGateway();
    const updates: string[] = [];
    const proposal = agent.propose('tools/call', writing('/a'), { onRejection: 'wait' });
    proposal.onStatus(({ type }) => updates.push(type));
    await rejected;
    held.release();
    await proposal.accepted;
    expect(updates).toEqual(['accepted', 'rejected']);
    await proposal.withdraw();
  });

  it('O-18: fails with the reasons if everyone addressed has declined, and cannot run afterwards', async () => {
    await using gateway = await startTestGateway();
    await using agent = await join(gateway, 'agent');
    await using reviewer = await join(gateway, 'reviewer');
    reviewer.onProposal(({ reject }) => reject('unsafe', 'not this file'));

    const proposal = agent.propose('tools/call', writing('/a'), { to: 'reviewer' });
    const error = await proposal.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ProposalRejectedError);
    expect(error).toMatchObject({
      proposal: proposal.id,
      rejections: [{ by: 'reviewer', reason: 'unsafe', message: 'not this file', couldApprove: true }],
      unansweredBy: [],
    });
    const late = reviewer.fulfil({ id: proposal.id, method: 'tools/call', params: writing('/a') });
    await expect(late).rejects.toMatchObject({ name: 'ProposalNotPendingError', state: 'withdrawn' });
  });

  it('O-17, O-31: is not ended by a rejection from someone who could not approve', async () => {
    await using gateway = await startTestGateway();
    await using agent = await join(gateway, 'agent');
    await using tools = await join(gateway, 'tools');
    await using reviewer = await join(gateway, 'reviewer');
    await serveWriting(tools);
    tools.onProposal(({ reject }) => reject('unsafe'));

    const patient = agent.propose('tools/call', writing('/a'));
    await first(patient.onStatus, ({ type }) => type === 'rejected');
    await reviewer.fulfil({ id: patient.id, method: 'tools/call', params: writing('/a') });
    expect(await patient).toEqual(wrote('/a'));
    expect(patient.rejections).toEqual([{ by: 'tools', reason: 'unsafe' }]);
  });

  it('O-31: is withdrawn on the first rejection by someone who could approve, then fails with all rejections', async () => {
    await using gateway = await startTestGateway();
    await using agent = await join(gateway, 'agent');
    await using tools = await join(gateway, 'tools');
    await using reviewer = await join(gateway, 'reviewer');
    await serveWriting(tools);
    const proposal = agent.propose('tools/call', writing('/a'));
    await proposal.accepted;
    await tools.reject(proposal.id, 'busy');
    await reviewer.reject(proposal.id, 'disagree', 'not today');
    const error = await proposal.catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      name: 'ProposalRejectedError',
      rejections: [
        { by: 'tools', reason: 'busy' },
        { by: 'reviewer', reason: 'disagree', message: 'not today', couldApprove: true },
      ],
    });
    const late = reviewer.fulfil({ id: proposal.id, method: 'tools/call', params: writing('/a') });
    await expect(late).rejects.toMatchObject({ name: 'ProposalNotPendingError', state: 'withdrawn' });
  });

  it.each(['busy', 'incapable', 'timeout'])('O-31: keeps waiting on %s', async (reason) => {
    await using gateway = await startTestGateway();
    await using agent = await join(gateway, 'agent');
    await using tools = await join(gateway, 'tools');
    await using reviewer = await join(gateway, 'reviewer');
    await serveWriting(tools);
    const proposal = agent.propose('tools/call', writing('/a'), { to: 'reviewer' });
    const declined = first(proposal.onStatus, ({ type }) => type === 'declined');
    await proposal.accepted;
    await reviewer.reject(proposal.id, reason);
    await declined;
    await reviewer.fulfil({ id: proposal.id, method: 'tools/call', params: writing('/a') });
    expect(await proposal).toEqual(wrote('/a'));
  });

  it('O-31: is left to the others after a rejection, if configured', async () => {
    await using gateway = await startTestGateway();
    await using agent = await join(gateway, 'agent');
    await using tools = await join(gateway, 'tools');
    await using reviewer = await join(gateway, 'reviewer');
    await serveWriting(tools);
    const proposal = agent.propose('tools/call', writing('/a'), { to: 'reviewer', onRejection: 'wait' });
    const declined = first(proposal.onStatus, ({ type }) => type === 'declined');
    await proposal.accepted;
    await reviewer.reject(proposal.id, 'unsafe');
    await declined;
    await reviewer.fulfil({ id: proposal.id, method: 'tools/call', params: writing('/a') });
    expect(await proposal).toEqual(wrote('/a'));
  });

  it('O-31: settles with the result of a fulfilment that beat the withdrawal', async () => {
    await using gateway = await startTestGateway();
    await using agent = await join(gateway, 'agent');
    await using tools = await join(gateway, 'tools');
    await using reviewer = await join(gateway, 'reviewer');
    await serveWriting(tools);
    const proposal = agent.propose('tools/call', writing('/a'));
    await proposal.accepted;
    // In sequence on one connection: the approval is decided before the agent learns of the rejection.
    void reviewer.reject(proposal.id, 'unsafe');
    const fulfilled = reviewer.fulfil({ id: proposal.id, method: 'tools/call', params: writing('/a') });
    expect(await proposal).toEqual(wrote('/a'));
    await fulfilled;
  });

  it('O-32: reports an offline addressee, and waits for it', async () => {
    await using gateway = await startTestGateway();
    await using agent = await join(gateway, 'agent');
    await using tools = await join(gateway, 'tools');
    await serveWriting(tools);
    const proposal = agent.propose('tools/call', writing('/a'), { to: 'reviewer' });
    const offline = await first(proposal.onStatus, ({ type }) => type === 'offline');
    expect(offline).toEqual({ type: 'offline', who: ['reviewer'] });
    await using reviewer = await join(gateway, 'reviewer');
    reviewer.onProposal(({ fulfil }) => fulfil());
    expect(await proposal).toEqual(wrote('/a'));
  });

  it('O-36, O-42: can be renewed, and reports progress while it runs', async () => {
    await using gateway = await startTestGateway();
    await using agent = await join(gateway, 'agent');
    await using tools = await join(gateway, 'tools');
    await using reviewer = await join(gateway, 'reviewer');
    let id = '';
    await serveWriting(tools, async () => {
      await tools.status(id, 'processing', { progress: 1, total: 2, message: 'half way' });
      return 'done';
    });
    const proposal = agent.propose('tools/call', writing('/a'), { ttl: 60_000 });
    id = proposal.id;
    const updates: ProposalUpdate[] = [];
    proposal.onStatus((update) => updates.push(update));
    await proposal.accepted;
    expect(await proposal.renew(120_000)).toMatchObject({ status: 'accepted' });
    await reviewer.fulfil({ id, method: 'tools/call', params: writing('/a') });
    expect(await proposal).toEqual({ content: [{ type: 'text', text: 'done' }] });
    expect(updates).toContainEqual({ type: 'renewed', ttl: 120_000 });
    expect(updates).toContainEqual({
      type: 'status',
      by: 'tools',
      status: 'processing',
      message: 'half way',
      progress: 1,
      total: 2,
    });
  });

  it('O-19: fails when it expires', async () => {
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

  it('O-12: still settles with the result if somebody fulfils it before the withdrawal', async () => {
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

  it('O-15: distinguishes an explicit withdrawal from others', async () => {
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

  it("fails with the tool's JSON-RPC error; a tool result with isError is a result", async () => {
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

  it('O-5, O-9: fails with the refusal, whether it comes from here or from the gateway', async () => {
    await using gateway = await startTestGateway();
    await using agent = await join(gateway, 'agent');
    await using tools = await join(gateway, 'tools');
    // The compiler would reject this.
    const anyMethod: string = 'tools/call';
    const unnamed = agent.propose(anyMethod, { arguments: {} });
    await expect(unnamed).rejects.toMatchObject({
      code: 'missing_field',
      details: { field: 'payload.params.name' },
    });
    const forbidden = await tools.propose('tools/call', writing('/a')).catch((reason: unknown) => reason);
    expect(forbidden).toBeInstanceOf(RefusedError);
    expect(forbidden).toMatchObject({ code: 'capability_violation' });
  });

  it('O-3: gives its earlier outcome if proposed again under its id after a restart', async () => {
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
