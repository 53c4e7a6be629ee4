import { describe, expect, it } from 'vitest';
import { openJournal, temporaryFolder } from '../../testing/folder.js';
import { answer, chat, fulfilment, proposal, rejection } from '../../testing/messages.js';
import { ask } from '../../testing/peers/http.js';
import { connectPeer, type Message } from '../../testing/peers/peer.js';
import { startTestGateway } from '../../testing/test-gateway.js';

const notice = (name: string) => (message: Message) =>
  message.kind === 'system.notice' && message.payload['notice'] === name;

describe('gateway notices', () => {
  it('O-18: declined, at once, when the last addressee rejects', async () => {
    await using gateway = await startTestGateway();
    await using tools = await connectPeer(gateway.ws, 'tools');
    await using reviewer = await connectPeer(gateway.ws, 'reviewer');
    await using agent = await connectPeer(gateway.ws, 'agent');
    await agent.say({ ...proposal('p1'), to: ['tools', 'reviewer'] });
    await tools.say(rejection('r1', 'p1'));
    await reviewer.say(rejection('r2', 'p1'));
    const { payload, correlationId } = await agent.next(notice('declined'));
    expect(correlationId).toBe('p1');
    expect(payload['rejectedBy']).toEqual(['tools', 'reviewer']);
  });

  it('O-32: offline addressee: the proposal stays open, and can be decided when they are back', async () => {
    await using gateway = await startTestGateway();
    await using agent = await connectPeer(gateway.ws, 'agent');
    await using tools = await connectPeer(gateway.ws, 'tools');
    await agent.say({ ...proposal('p1'), to: ['reviewer'] });
    const { payload } = await agent.next(notice('addressees_absent'));
    expect(payload).toMatchObject({ proposal: 'p1', absent: ['reviewer'] });
    await using reviewer = await connectPeer(gateway.ws, 'reviewer');
    await reviewer.say(fulfilment('f1', 'p1'));
    await tools.next(({ id }) => id === 'f1');
    await agent.next(({ id }) => id === 'f1');
    expect(agent.messages.filter(notice('declined'))).toEqual([]);
  });

  it('O-20, O-32: no reservation for someone who cannot fulfil it', async () => {
    await using gateway = await startTestGateway();
    await using agent = await connectPeer(gateway.ws, 'agent');
    await using tools = await connectPeer(gateway.ws, 'tools');
    await agent.say(proposal('p1', { targeting: { preferred: ['tools'], exclusive: true } }));
    expect((await agent.next(notice('opened'))).correlationId).toBe('p1');
    await tools.next(notice('opened'));
  });

  it('O-19: expired, once, at its deadline; then it cannot be fulfilled', async () => {
    let now = Date.now();
    await using gateway = await startTestGateway('dev: true', undefined, () => now);
    await using agent = await connectPeer(gateway.ws, 'agent');
    await using tools = await connectPeer(gateway.ws, 'tools');
    await using reviewer = await connectPeer(gateway.ws, 'reviewer');
    await agent.say(proposal('p1', { ttl: 600 }));
    await agent.say(proposal('p2', { ttl: 30 }));
    await agent.say(proposal('p3', { ttl: 3_600_000 }));
    now += 600;
    await agent.next((message) => notice('expired')(message) && message.correlationId === 'p1');
    reviewer.send(fulfilment('f1', 'p1'));
    expect(await reviewer.error('f1')).toMatchObject({ error: 'proposal_not_pending', state: 'expired' });
    await agent.say(chat('c1'));
    const expired = agent.messages.filter(notice('expired')).map(({ correlationId }) => correlationId);
    expect(expired).toEqual(['p2', 'p1']);
    expect(tools.messages.filter(({ id }) => id === 'f1')).toEqual([]);
  });

  it("O-19: the space's default deadline applies if none is named", async () => {
    await using gateway = await startTestGateway('dev: true\nspaces: { main: { default_ttl: 50ms } }');
    await using agent = await connectPeer(gateway.ws, 'agent');
    await agent.say(proposal('p1'));
    await agent.next(notice('expired'));
  });

  it('O-19: a deadline during downtime ends it at startup, once', async () => {
    await using folder = await temporaryFolder();
    let now = Date.now();
    {
      await using gateway = await startTestGateway('dev: true', await openJournal(folder.path), () => now);
      await using agent = await connectPeer(gateway.ws, 'agent');
      await agent.say(proposal('p1', { ttl: 60_000 }));
    }
    now += 120_000;
    await using gateway = await startTestGateway('dev: true', await openJournal(folder.path), () => now);
    await using agent = await connectPeer(gateway.ws, 'agent', { after: '0' });
    await agent.next(notice('expired'));
    expect(agent.messages.filter(notice('expired'))).toHaveLength(1);
  });

  it('O-33, O-36: a warning and an escalation that fell due during downtime come once, at startup', async () => {
    await using folder = await temporaryFolder();
    let now = Date.now();
    const yaml = `
dev: true
spaces:
  main:
    review: [{ call: mcp.request.tools/call, from: [ann], escalate: [{ after: 1m, to: [reviewer] }] }]
`;
    {
      await using gateway = await startTestGateway(yaml, await openJournal(folder.path), () => now);
      await using agent = await connectPeer(gateway.ws, 'agent');
      await agent.say(proposal('p1', { ttl: 600_000 }));
    }
    now += 550_000;
    await using gateway = await startTestGateway(yaml, await openJournal(folder.path), () => now);
    await using agent = await connectPeer(gateway.ws, 'agent', { after: '0' });
    await using tools = await connectPeer(gateway.ws, 'tools');
    expect((await agent.next(notice('escalated'))).payload).toMatchObject({ to: ['reviewer'] });
    await agent.next(notice('expiring'));
    await using reviewer = await connectPeer(gateway.ws, 'reviewer');
    await reviewer.say(fulfilment('f1', 'p1'));
    await tools.next(({ id }) => id === 'f1');
    for (const name of ['escalated', 'expiring']) {
      expect(agent.messages.filter(notice(name))).toHaveLength(1);
    }
  });

  it('O-20: reserved for the preferred, then open to all, after their time', async () => {
    let now = Date.now();
    await using gateway = await startTestGateway('dev: true', undefined, () => now);
    await using agent = await connectPeer(gateway.ws, 'agent');
    await using tools = await connectPeer(gateway.ws, 'tools');
    await using reviewer = await connectPeer(gateway.ws, 'reviewer');
    await using steward = await connectPeer(gateway.ws, 'steward');
    const targeting = { preferred: ['steward'], exclusive: true, exclusive_timeout: 300 };
    await agent.say(proposal('p1', { targeting }));
    reviewer.send(fulfilment('f1', 'p1'));
    const error = await reviewer.error('f1');
    expect(error).toMatchObject({ error: 'reserved', preferred: ['steward'] });
    expect(error['until']).toBe(now + 300);
    now += 300;
    await steward.next(notice('opened'));
    await reviewer.next(notice('opened'));
    await reviewer.say(fulfilment('f2', 'p1'));
    await tools.next(({ id }) => id === 'f2');
  });

  it('O-20: a reservation ends early when the preferred rejects; without fallback that is the end', async () => {
    await using gateway = await startTestGateway();
    await using agent = await connectPeer(gateway.ws, 'agent');
    await using tools = await connectPeer(gateway.ws, 'tools');
    await using reviewer = await connectPeer(gateway.ws, 'reviewer');
    await using steward = await connectPeer(gateway.ws, 'steward');
    const targeting = { preferred: ['steward'], exclusive: true };
    await agent.say(proposal('p1', { targeting }));
    await agent.say(proposal('p2', { targeting: { ...targeting, fallback_to_broadcast: false } }));
    await steward.say(rejection('r1', 'p1'));
    await steward.say(rejection('r2', 'p2'));
    await agent.next((message) => notice('opened')(message) && message.correlationId === 'p1');
    await agent.next((message) => notice('declined')(message) && message.correlationId === 'p2');
    await reviewer.say(fulfilment('f1', 'p1'));
    await tools.next(({ id }) => id === 'f1');
    reviewer.send(fulfilment('f2', 'p2'));
    expect(await reviewer.error('f2')).toMatchObject({ error: 'proposal_not_pending', state: 'declined' });
  });

  it('O-23: unknown, when the executor leaves without an answer; a late answer still makes it known', async () => {
    await using gateway = await startTestGateway();
    await using agent = await connectPeer(gateway.ws, 'agent');
    await using reviewer = await connectPeer(gateway.ws, 'reviewer');
    const tools = await connectPeer(gateway.ws, 'tools');
    await agent.say(proposal('p1'));
    await reviewer.say(fulfilment('f1', 'p1'));
    tools.socket.terminate();
    const { payload } = await agent.next(notice('outcome_unknown'));
    expect(payload).toMatchObject({ cause: 'executor_left', executor: 'tools' });
    await using back = await connectPeer(gateway.ws, 'tools');
    await back.say(answer('a1', 'f1'));
    await agent.next(({ id }) => id === 'a1');
    const { body } = await ask(`${gateway.http}/spaces/main/proposals/p1`, 'agent');
    expect(body).toMatchObject({ proposal: { phase: 'settled', outcome: { result: 'ok' } } });
  });

  it('O-23: unknown, when nobody answers in time; and it does not run again on its own', async () => {
    await using gateway = await startTestGateway('dev: true\nspaces: { main: { answer_timeout: 100ms } }');
    await using agent = await connectPeer(gateway.ws, 'agent');
    await using reviewer = await connectPeer(gateway.ws, 'reviewer');
    await using tools = await connectPeer(gateway.ws, 'tools');
    await agent.say(proposal('p1'));
    await reviewer.say(fulfilment('f1', 'p1'));
    expect((await reviewer.next(notice('outcome_unknown'))).payload).toMatchObject({ cause: 'no_answer' });
    await agent.say(chat('c1'));
    await tools.next(({ id }) => id === 'c1');
    expect(tools.messages.filter(({ kind }) => kind.startsWith('mcp.request'))).toHaveLength(1);
  });

  it('O-46: no outcome of a call that its own agent runs, until the agent reports', async () => {
    await using gateway = await startTestGateway();
    // In dev mode, a name that nobody configured may be a guard or a hook.
    await using hook = await connectPeer(gateway.ws, 'claude-code');
    await using reviewer = await connectPeer(gateway.ws, 'reviewer');
    await hook.say(proposal('p1', { executor: 'claude-code' }));
    await reviewer.say(fulfilment('f1', 'p1', []));
    const listed = async (state: string): Promise<readonly unknown[]> => {
      const { body } = await ask(`${gateway.http}/spaces/main/proposals?state=${state}`, 'reviewer');
      return (body as { readonly proposals: readonly { readonly id: string }[] }).proposals.map(
        ({ id }) => id,
      );
    };
    expect(await listed('allowed')).toEqual(['p1']);
    expect(await listed('settled')).toEqual([]);
    await hook.say(answer('a1', 'f1'));
    await reviewer.next(({ id }) => id === 'a1');
    const { body } = await ask(`${gateway.http}/spaces/main/proposals/p1`, 'reviewer');
    expect(body).toMatchObject({ proposal: { phase: 'settled', outcome: { result: 'ok' } } });
  });

  it('O-38: who was chosen for a proposal, to those who can fulfil it, and at once if nobody can', async () => {
    await using gateway = await startTestGateway();
    await using agent = await connectPeer(gateway.ws, 'agent');
    await agent.say(proposal('p1', { targeting: { capable: true } }));
    expect((await agent.next(notice('nobody_capable'))).correlationId).toBe('p1');
    await using reviewer = await connectPeer(gateway.ws, 'reviewer');
    await agent.say(proposal('p2', { targeting: { capable: true } }));
    await reviewer.next(({ id }) => id === 'p2');
    const { body } = await ask(`${gateway.http}/spaces/main/proposals/p2`, 'agent');
    expect(body).toMatchObject({
      proposal: { addressees: ['reviewer'], targeting: { preferred: ['reviewer'] } },
    });
  });

  it('O-42: progress while it runs, and nothing after the end', async () => {
    await using gateway = await startTestGateway();
    await using agent = await connectPeer(gateway.ws, 'agent');
    await using reviewer = await connectPeer(gateway.ws, 'reviewer');
    await using tools = await connectPeer(gateway.ws, 'tools');
    const progress = (id: string, done: number) => ({
      id,
      kind: 'mcpx.status.proposal',
      correlationId: 'p1',
      payload: { status: 'processing', progress: done, total: 2, message: 'writing' },
    });
    await agent.say(proposal('p1'));
    await reviewer.say(fulfilment('f1', 'p1'));
    await reviewer.say(progress('s1', 1));
    expect((await agent.next(({ id }) => id === 's1')).payload).toMatchObject({ progress: 1, total: 2 });
    await tools.say(answer('a1', 'f1'));
    reviewer.send(progress('s2', 2));
    await reviewer.say(chat('c1'));
    await agent.next(({ id }) => id === 'c1');
    expect(agent.messages.filter(({ id }) => id === 's2')).toEqual([]);
  });
});
