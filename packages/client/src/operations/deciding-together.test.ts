import { describe, expect, it } from 'vitest';
import { DependencyFailedError, type ProposalUpdate, ProposalWaitsError } from '../node.js';
import { startTestGateway } from '../testing/gateway.js';
import { first, join } from '../testing/joining.js';
import { serveWriting, writing, wrote } from '../testing/tools.js';

const POLICY = `
dev: true
capabilities: { all: ['*'] }
participants:
  ann: { spaces: { main: all } }
  bob: { spaces: { main: all } }
  cleo: { spaces: { main: all } }
  bot: { spaces: { main: all } }
spaces:
  main:
    review:
      - { name: writes, call: 'mcp.request.tools/call:write_file', approvals: 2, from: [ann, bob],
          agents: { from: [bot], per_hour: 1, within: { path: { one_of: [/small] } } } }
`;

describe('a plan', () => {
  it('O-37: runs in order, each step when those before it are done', async () => {
    await using gateway = await startTestGateway();
    await using agent = await join(gateway, 'agent');
    await using reviewer = await join(gateway, 'reviewer');
    await using tools = await join(gateway, 'tools');
    const calls = await serveWriting(tools);
    const one = agent.propose('tools/call', writing('/1'));
    const two = agent.propose('tools/call', writing('/2'), { dependsOn: [one] });
    const three = agent.propose('tools/call', writing('/3'), { dependsOn: [one.id, two] });
    await expect.poll(() => reviewer.pending.length).toBe(3);
    const plan = reviewer.pending;
    expect(plan.map(({ dependsOn }) => dependsOn ?? [])).toEqual([[], [one.id], [one.id, two.id]]);
    const met = first(three.onStatus, ({ type }) => type === 'dependencies_met');
    const outcomes = await reviewer.approveAll(plan.toReversed());
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['approved', 'approved', 'approved']);
    expect(outcomes[0]).toMatchObject({ approval: { isComplete: true, waitsFor: [one.id, two.id] } });
    expect(await met).toMatchObject({
      dependencies: [one.id],
      waitsFor: [two.id],
    } satisfies Partial<ProposalUpdate>);
    expect(await three).toEqual(wrote('/3'));
    expect(calls.map(({ path }) => path)).toEqual(['/1', '/2', '/3']);
  });

  it('O-37: a failed step ends those after it, with an error that says which and how', async () => {
    await using gateway = await startTestGateway();
    await using agent = await join(gateway, 'agent');
    await using reviewer = await join(gateway, 'reviewer');
    await using tools = await join(gateway, 'tools');
    const calls = await serveWriting(tools, () => {
      throw new Error('The disk is full.');
    });
    const one = agent.propose('tools/call', writing('/1'));
    const two = agent.propose('tools/call', writing('/2'), { dependsOn: [one] });
    const kept = agent.propose('tools/call', writing('/3'), { dependsOn: [two], onFailure: 'keep' });
    await kept.accepted;
    const left = first(kept.onStatus, ({ type }) => type === 'dependency_failed');
    const seen = { id: two.id, method: 'tools/call', params: writing('/2') };
    await expect(reviewer.fulfil(seen)).rejects.toBeInstanceOf(ProposalWaitsError);
    await reviewer.approve({ id: one.id, method: 'tools/call', params: writing('/1') });
    const failed = await two.catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(DependencyFailedError);
    expect(failed).toMatchObject({ dependency: one.id, outcome: 'error' });
    expect(await left).toMatchObject({ dependency: two.id, outcome: 'declined' });
    expect(calls).toHaveLength(1);
    await kept.withdraw();
    await expect(kept).rejects.toMatchObject({ name: 'ProposalWithdrawnError' });
    await expect(agent.propose('tools/call', writing('/4'), { dependsOn: ['nope'] })).rejects.toMatchObject({
      code: 'unknown_dependency',
    });
  });
});

describe('deciding for others', () => {
  it('O-34, O-44: an approver delegates its part, and takes it back', async () => {
    await using gateway = await startTestGateway(POLICY);
    await using agent = await join(gateway, 'agent');
    await using ann = await join(gateway, 'ann');
    await using bob = await join(gateway, 'bob');
    await using cleo = await join(gateway, 'cleo');
    await using tools = await join(gateway, 'tools');
    await serveWriting(tools);
    await ann.delegate('cleo', { until: new Date(Date.now() + 60_000) });
    const proposal = agent.propose('tools/call', writing('/a'));
    await proposal.accepted;
    await expect
      .poll(() => cleo.pending[0]?.review)
      .toEqual({ entry: 'writes', needed: 2, from: ['ann', 'bob'] });
    const seen = { id: proposal.id, method: 'tools/call', params: writing('/a') };
    expect(await cleo.approve(seen)).toMatchObject({
      given: 1,
      needed: 2,
      onBehalfOf: 'ann',
      missing: ['bob'],
    });
    const told = first(proposal.onStatus, ({ type }) => type === 'delegated');
    await bob.delegate('ann', { until: Date.now() + 60_000, proposal: proposal.id });
    expect(await told).toEqual({ type: 'delegated', by: 'bob', to: 'ann' });
    await bob.undelegate(proposal.id);
    await ann.undelegate();
    expect(await bob.approve(seen)).toMatchObject({ isComplete: true });
    expect(await proposal).toEqual(wrote('/a'));
    const next = agent.propose('tools/call', writing('/b'));
    await next.accepted;
    const again = cleo.approve({ id: next.id, method: 'tools/call', params: writing('/b') });
    await expect(again).rejects.toMatchObject({ code: 'not_approver' });
    await next.withdraw();
    await expect(next).rejects.toThrow(/withdrawn/);
  });

  it('O-28: an agent suffices within its limits, and is refused beyond them', async () => {
    await using gateway = await startTestGateway(POLICY);
    await using agent = await join(gateway, 'agent');
    await using bot = await join(gateway, 'bot');
    await using tools = await join(gateway, 'tools');
    await serveWriting(tools);
    const small = agent.propose('tools/call', writing('/small'));
    await small.accepted;
    const params = writing('/small');
    expect(await bot.approve({ id: small.id, method: 'tools/call', params })).toMatchObject({
      isComplete: true,
    });
    expect(await small).toEqual(wrote('/small'));
    const another = agent.propose('tools/call', params);
    await another.accepted;
    const beyond = bot.approve({ id: another.id, method: 'tools/call', params });
    await expect(beyond).rejects.toMatchObject({ code: 'agent_limit', details: { why: 'per_hour' } });
    await another.withdraw();
    await expect(another).rejects.toThrow(/withdrawn/);
  });
});

describe('approving many', () => {
  it('O-35: each has its outcome; those that changed since they were shown are reported and skipped', async () => {
    await using gateway = await startTestGateway();
    await using agent = await join(gateway, 'agent');
    await using reviewer = await join(gateway, 'reviewer');
    await using steward = await join(gateway, 'steward');
    await using tools = await join(gateway, 'tools');
    const calls = await serveWriting(tools);
    const made = ['/1', '/2', '/3'].map((path) =>
      agent.propose('tools/call', writing(path), { onRejection: 'wait' }),
    );
    await expect.poll(() => reviewer.pending.length).toBe(3);
    const [one, two, three] = made;
    const shown = reviewer.pending;
    await steward.reject(two?.id ?? '', 'unsafe');
    await three?.withdraw();
    three?.catch(() => {});
    const batches = new Set<unknown>();
    reviewer.on('message', ({ kind, payload }) => {
      if (kind === 'mcpx.approve.proposal') batches.add(payload['batch']);
    });
    const outcomes = await reviewer.approveAll(shown);
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['approved', 'changed', 'refused']);
    expect(outcomes[1]).toMatchObject({ id: two?.id, changed: ['objection'] });
    expect(outcomes[2]).toMatchObject({ error: { name: 'ProposalNotPendingError', state: 'withdrawn' } });
    expect(await one).toEqual(wrote('/1'));
    expect(calls).toHaveLength(1);
    expect(batches.size).toBe(1);
    expect([...batches]).toEqual([expect.any(String)]);
    expect(reviewer.pending.map(({ rejectedBy }) => rejectedBy)).toEqual([['steward']]);
    await two?.withdraw();
    two?.catch(() => {});
  });
});
