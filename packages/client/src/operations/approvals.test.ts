import { describe, expect, it } from 'vitest';
import { ApprovalsMissingError } from '../node.js';
import { startTestGateway } from '../testing/gateway.js';
import { join } from '../testing/joining.js';
import { serveWriting, writing, wrote } from '../testing/tools.js';

const POLICY = `
dev: true
capabilities: { all: ['*'] }
participants:
  ann: { spaces: { main: all }, roles: [finance] }
  bob: { spaces: { main: all }, roles: [finance] }
spaces:
  main:
    review:
      - { name: writes, call: 'mcp.request.tools/call:write_file', approvals: 2, from: ['role:finance'], veto: true }
`;

describe('approving', () => {
  it('O-29: runs exactly what was shown, once', async () => {
    await using gateway = await startTestGateway();
    await using agent = await join(gateway, 'agent');
    await using reviewer = await join(gateway, 'reviewer');
    await using tools = await join(gateway, 'tools');
    const calls = await serveWriting(tools);
    const proposal = agent.propose('tools/call', writing('/a'));
    await proposal.accepted;
    const seen = { id: proposal.id, method: 'tools/call', params: writing('/b') };
    await expect(reviewer.approve(seen)).rejects.toMatchObject({ code: 'digest_mismatch' });
    const outcome = await reviewer.approve({ ...seen, params: writing('/a') });
    expect(outcome).toEqual({ isComplete: true, given: 1, needed: 1, missing: [] });
    expect(await proposal).toEqual(wrote('/a'));
    expect(calls).toHaveLength(1);
    await expect(reviewer.approve({ ...seen, params: writing('/a') })).rejects.toMatchObject({
      name: 'ProposalNotPendingError',
      by: 'reviewer',
    });
  });

  it('O-29, O-16: is taken back until enough people approved, and comes too late afterwards', async () => {
    await using gateway = await startTestGateway(POLICY);
    await using agent = await join(gateway, 'agent');
    await using ann = await join(gateway, 'ann');
    await using bob = await join(gateway, 'bob');
    await using tools = await join(gateway, 'tools');
    const calls = await serveWriting(tools);
    const proposal = agent.propose('tools/call', writing('/a'));
    await proposal.accepted;
    const seen = { id: proposal.id, method: 'tools/call', params: writing('/a') };
    await ann.approve(seen);
    expect(await ann.takeBack(proposal.id)).toMatchObject({ status: 'accepted' });
    await expect(ann.takeBack(proposal.id)).rejects.toMatchObject({ code: 'not_approver' });
    // Nobody rejected it, whatever the policy says about vetoes.
    expect(await bob.approve(seen)).toMatchObject({ isComplete: false, given: 1, needed: 2 });
    expect(calls).toHaveLength(0);
    expect(await ann.approve(seen)).toMatchObject({ isComplete: true, given: 2 });
    expect(await proposal).toEqual(wrote('/a'));
    await using impatient = await join(gateway, 'ann', { silence: 200 });
    expect(await impatient.takeBack(proposal.id)).toMatchObject({ status: 'late' });
  });

  it('O-28, O-30: runs only once enough different people approved the same', async () => {
    await using gateway = await startTestGateway(POLICY);
    await using agent = await join(gateway, 'agent');
    await using reviewer = await join(gateway, 'reviewer');
    await using ann = await join(gateway, 'ann');
    await using bob = await join(gateway, 'bob');
    await using tools = await join(gateway, 'tools');
    const calls = await serveWriting(tools);
    const proposal = agent.propose('tools/call', writing('/a'));
    await proposal.accepted;
    const seen = { id: proposal.id, method: 'tools/call', params: writing('/a') };
    await expect(reviewer.approve(seen)).rejects.toMatchObject({ code: 'not_approver' });
    expect(await ann.approve(seen)).toMatchObject({ isComplete: false, given: 1, needed: 2 });
    await expect(ann.approve(seen)).rejects.toMatchObject({ code: 'already_approved' });
    expect(calls).toHaveLength(0);
    expect(await bob.approve(seen, { params: writing('/b') })).toMatchObject({ given: 1, needed: 2 });
    expect(await bob.approve(seen)).toMatchObject({ isComplete: true, given: 2, needed: 2 });
    expect(await proposal).toEqual(wrote('/a'));
    expect(calls).toHaveLength(1);
    const unasked = ann.request('tools/call', writing('/a'));
    await expect(unasked).rejects.toMatchObject({ code: 'approval_required' });
  });

  it('O-3, O-29: gives the same result when repeated under the same id', async () => {
    await using gateway = await startTestGateway(POLICY);
    await using agent = await join(gateway, 'agent');
    await using ann = await join(gateway, 'ann');
    await using tools = await join(gateway, 'tools');
    await serveWriting(tools);
    const proposal = agent.propose('tools/call', writing('/a'));
    await proposal.accepted;
    const seen = { id: proposal.id, method: 'tools/call', params: writing('/a') };
    const first = await ann.approve(seen, { id: 'same' });
    expect(first).toMatchObject({ isComplete: false, given: 1, needed: 2 });
    expect(await ann.approve(seen, { id: 'same' })).toEqual(first);
    proposal.catch(() => {});
  });

  it('O-29: an insufficient fulfilment counts as an approval, and reports who is missing', async () => {
    await using gateway = await startTestGateway(POLICY);
    await using agent = await join(gateway, 'agent');
    await using ann = await join(gateway, 'ann');
    await using bob = await join(gateway, 'bob');
    await using tools = await join(gateway, 'tools');
    await serveWriting(tools);
    const proposal = agent.propose('tools/call', writing('/a'));
    await proposal.accepted;
    const seen = { id: proposal.id, method: 'tools/call', params: writing('/a') };
    const missing = await ann.fulfil(seen).catch((error: unknown) => error);
    expect(missing).toBeInstanceOf(ApprovalsMissingError);
    expect(missing).toMatchObject({ given: 1, needed: 2, missing: ['role:finance'] });
    expect(await bob.fulfil(seen)).toEqual(wrote('/a'));
    expect(await proposal).toEqual(wrote('/a'));
  });
});
