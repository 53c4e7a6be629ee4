import { describe, expect, it } from 'vitest';
import { answer, call, chat, fulfilment, proposal, rejection, withdrawal } from '../../testing/messages.js';
import { readMetric } from '../../testing/metrics.js';
import { ask, post } from '../../testing/peers/http.js';
import { connectPeer, type Peer } from '../../testing/peers/peer.js';
import { startTestGateway } from '../../testing/test-gateway.js';

const ids = ({ messages }: Peer) => messages.filter(({ seq }) => seq !== undefined).map(({ id }) => id);

describe('late messages', () => {
  it('O-16: are dropped silently and counted; about an unknown proposal, they are an error', async () => {
    await using gateway = await startTestGateway();
    await using agent = await connectPeer(gateway.ws, 'agent');
    await using reviewer = await connectPeer(gateway.ws, 'reviewer');
    await agent.say(proposal('p1'));
    await agent.say(withdrawal('w1', 'p1'));
    agent.send(withdrawal('w2', 'p1'));
    reviewer.send(rejection('r1', 'p1'));
    reviewer.send({ ...rejection('s1', 'p1'), kind: 'mcpx.status.proposal', payload: { status: 'queued' } });
    expect(await post(gateway.http, 'agent', withdrawal('w3', 'p1'))).toMatchObject({
      status: 200,
      body: { status: 'late' },
    });
    await agent.say(chat('c1'));
    await reviewer.say(chat('c2'));
    await agent.next(({ id }) => id === 'c2');
    expect(ids(agent)).toEqual(['p1', 'w1', 'c1', 'c2']);
    expect(agent.messages.filter(({ kind }) => kind === 'system.error')).toEqual([]);
    const late = (transport: string) =>
      readMetric(gateway.http, 'proffer_messages_total', `{transport="${transport}",outcome="late"}`);
    expect(await late('ws')).toBe(3);
    expect(await late('http')).toBe(1);
    agent.send(withdrawal('w4', 'nothing'));
    expect(await agent.error('w4')).toMatchObject({ error: 'unknown_proposal' });
  });
});

describe('repeated batch', () => {
  it('O-3, O-15: is answered as the first time, over both transports', async () => {
    await using gateway = await startTestGateway();
    await using agent = await connectPeer(gateway.ws, 'agent');
    await using reviewer = await connectPeer(gateway.ws, 'reviewer');
    for (const id of ['p1', 'p2', 'p3']) await agent.say(proposal(id));
    await reviewer.say(fulfilment('f2', 'p2', ['reviewer']));
    const batch = { ...withdrawal('w1', ''), correlationId: ['p1', 'p2', 'p3'] };
    agent.send(batch);
    const last = await agent.next(({ id }) => id === 'w1#3');
    await using again = await connectPeer(gateway.ws, 'agent');
    again.send(batch);
    const { payload } = await again.next(({ kind }) => kind === 'system.outcomes');
    expect(again.messages.filter(({ seq }) => seq !== undefined)).toEqual(
      agent.messages.filter(({ id }) => id.startsWith('w1')),
    );
    expect((await post(gateway.http, 'agent', batch)).body).toEqual({
      id: 'w1',
      status: 'duplicate',
      seq: last.seq,
      outcomes: payload['outcomes'],
    });
    await reviewer.say(chat('c1'));
    // Nobody else gets it a second time.
    expect(ids(reviewer)).toEqual(['p1', 'p2', 'p3', 'f2', 'w1#1', 'w1#3', 'c1']);
  });
});

describe('fulfilment', () => {
  it('I-2, O-12: one of many concurrent ones wins, over both transports', async () => {
    await using gateway = await startTestGateway();
    await using agent = await connectPeer(gateway.ws, 'agent');
    await using tools = await connectPeer(gateway.ws, 'tools');
    await using reviewer = await connectPeer(gateway.ws, 'reviewer');
    for (let round = 0; round < 10; round++) {
      await agent.say(proposal(`p${round}`));
      const names = Array.from({ length: 10 }, (_, index) => `f${round}-${index}`);
      for (const name of names) reviewer.send(fulfilment(name, `p${round}`));
      const answers = await Promise.all(
        names.map((name) => post(gateway.http, 'reviewer', fulfilment(`${name}-http`, `p${round}`))),
      );
      expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
    }
    await agent.say(chat('last'));
    await tools.next(({ id }) => id === 'last');
    const ran = tools.messages.filter(({ kind }) => kind.startsWith('mcp.request'));
    expect(ran.map(({ correlationId }) => correlationId)).toEqual(
      Array.from({ length: 10 }, (_, round) => `p${round}`),
    );
  });

  it('I-8: a message costs the same with thousands of pending proposals', async () => {
    await using gateway = await startTestGateway(
      'dev: true\nlimits: { pending_proposals_per_participant: 100000 }',
    );
    await using agent = await connectPeer(gateway.ws, 'agent', { routing: 'directed' });
    const took = async (round: string): Promise<number> => {
      const before = await readMetric(gateway.http, 'process_cpu_user_seconds_total');
      for (let count = 0; count < 2_000; count++) agent.send(chat(`${round}${count}`));
      await agent.next(({ id }) => id === `${round}1999`);
      return (await readMetric(gateway.http, 'process_cpu_user_seconds_total')) - before;
    };
    await took('warm');
    const few = await took('few');
    for (let count = 0; count < 4_000; count++)
      agent.send({ id: `p${count}`, kind: 'mcp.proposal.tools/call', payload: call() });
    await agent.next(({ id }) => id === 'p3999');
    const many = await took('many');
    // Work, not time: a cost that grew with the proposals would show as a factor of hundreds.
    expect(many).toBeLessThan(few * 20 + 0.5);
  });
});

describe('approval', () => {
  it("O-29: is delivered as given, then as the request that runs, in the approver's name", async () => {
    await using gateway = await startTestGateway();
    await using agent = await connectPeer(gateway.ws, 'agent');
    await using reviewer = await connectPeer(gateway.ws, 'reviewer');
    await using tools = await connectPeer(gateway.ws, 'tools');
    await agent.say(proposal('p1'));
    const { body } = await ask(`${gateway.http}/spaces/main/proposals/p1`, 'reviewer');
    const { digest } = body['proposal'] as { readonly digest: string };
    const approval = { kind: 'mcpx.approve.proposal', correlationId: 'p1' };
    reviewer.send({ ...approval, id: 'a0', payload: { digest: 'sha256:0', executor: 'tools' } });
    expect(await reviewer.error('a0')).toMatchObject({ error: 'digest_mismatch', expected: digest });
    await reviewer.say({ ...approval, id: 'a1', payload: { digest, executor: 'tools' } });
    const request = await tools.next(({ kind }) => kind.startsWith('mcp.request.'));
    expect(request).toMatchObject({ from: 'reviewer', to: ['tools'], correlationId: 'p1' });
    await tools.say(answer('x1', request.id));
    for (const peer of [agent, reviewer]) await peer.next(({ id }) => id === 'x1');
    expect(await post(gateway.http, 'agent', { ...approval, id: 'a2', payload: { digest } })).toMatchObject({
      status: 403,
      code: 'capability_violation',
    });
  });
});

describe('arguments', () => {
  const announce = {
    id: 'n1',
    kind: 'mcpx.announce.tools',
    payload: {
      tools: [
        {
          name: 'write_file',
          inputSchema: { type: 'object', properties: { path: { type: 'string', pattern: '^/tmp/' } } },
        },
      ],
    },
  };

  it('O-39: that do not match the announced schema are refused with what is wrong', async () => {
    await using gateway = await startTestGateway();
    await using agent = await connectPeer(gateway.ws, 'agent');
    await using tools = await connectPeer(gateway.ws, 'tools');
    await tools.say(announce);
    agent.send(proposal('p1'));
    expect(await agent.error('p1')).toMatchObject({
      error: 'invalid_arguments',
      path: '/arguments/path',
      expected: 'text that matches ^/tmp/',
      found: '"/a"',
    });
    await agent.say(proposal('p2', call('write_file', { path: '/tmp/a' })));
  });

  it('O-39: are let through and marked if the space says so', async () => {
    await using gateway = await startTestGateway('dev: true\nspaces: { main: { arguments: mark } }');
    await using agent = await connectPeer(gateway.ws, 'agent');
    await using tools = await connectPeer(gateway.ws, 'tools');
    await tools.say(announce);
    await agent.say(proposal('p1'));
    const { body } = await ask(`${gateway.http}/spaces/main/proposals/p1`, 'reviewer');
    expect(body['proposal']).toMatchObject({ argumentFaults: [{ path: '/arguments/path' }] });
  });
});

describe('rejection', () => {
  it('O-31: says whether its sender could have approved, whatever the sender claims', async () => {
    await using gateway = await startTestGateway();
    await using agent = await connectPeer(gateway.ws, 'agent');
    await using reviewer = await connectPeer(gateway.ws, 'reviewer');
    await using tools = await connectPeer(gateway.ws, 'tools');
    await agent.say(proposal('p1'));
    tools.send({ ...rejection('r1', 'p1'), payload: { reason: 'unsafe', couldApprove: true } });
    reviewer.send(rejection('r2', 'p1'));
    expect((await agent.next(({ id }) => id === 'r1')).payload).not.toHaveProperty('couldApprove');
    expect((await agent.next(({ id }) => id === 'r2')).payload).toMatchObject({ couldApprove: true });
  });
});
