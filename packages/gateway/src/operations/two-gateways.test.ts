import { setImmediate as nextTurn } from 'node:timers/promises';
import { createMemoryJournal, type Journal } from '@proffer/journal';
import { expect, it } from 'vitest';
import { createGate, journalWith, shared } from '../testing/journals.js';
import { answer, chat, fulfilment, proposal, rejection, withdrawal } from '../testing/messages.js';
import { ask, post } from '../testing/peers/http.js';
import { connectPeer, type Message } from '../testing/peers/peer.js';
import { startTestGateway } from '../testing/test-gateway.js';

/** A journal whose feed says nothing new until then. */
const deafUntil = (journal: Journal, opened: Promise<void>): Journal =>
  journalWith(shared(journal), {
    async *feed(space, after, options) {
      if (options?.follow !== false) await opened;
      yield* journal.feed(space, after, options);
    },
  });

const isWelcome = ({ kind }: Message): boolean => kind === 'system.welcome';

it('I-2, O-12: on one journal, two gateways let one fulfilment through, and agree on everything', async () => {
  const journal = createMemoryJournal();
  await using left = await startTestGateway('dev: true', shared(journal));
  await using right = await startTestGateway('dev: true', shared(journal));
  await using agent = await connectPeer(left.ws, 'agent');
  await using tools = await connectPeer(left.ws, 'tools');
  await using elsewhere = await connectPeer(right.ws, 'tools');
  const rounds = Array.from({ length: 20 }, (_, round) => `p${round}`);
  for (const id of rounds) {
    await agent.say(proposal(id));
    const tries = Array.from({ length: 6 }, (_, index) => {
      const { http } = index % 2 === 0 ? left : right;
      return post(http, 'reviewer', fulfilment(`${id}-${index}`, id));
    });
    const answers = await Promise.all(tries);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const { status, code } of answers) {
      if (status !== 200) expect(code).toBe('proposal_not_pending');
    }
  }
  await agent.say(chat('last'));
  await tools.next(({ id }) => id === 'last');
  await elsewhere.next(({ id }) => id === 'last');
  for (const { messages } of [tools, elsewhere]) {
    const ran = messages.filter(({ kind }) => kind.startsWith('mcp.request.'));
    expect(ran.map(({ correlationId }) => correlationId)).toEqual(rounds);
  }
  const listed = (http: string) => ask(`${http}/spaces/main/proposals`, 'agent');
  expect((await listed(left.http)).body).toEqual((await listed(right.http)).body);
});

it('I-2, I-6: what one participant says through both at once is all there, once, in one order', async () => {
  const journal = createMemoryJournal();
  await using left = await startTestGateway('dev: true', shared(journal));
  await using right = await startTestGateway('dev: true', shared(journal));
  await using follower = await connectPeer(left.ws, 'reviewer');
  await using other = await connectPeer(right.ws, 'reviewer');
  const said = Array.from({ length: 60 }, (_, index) => chat(`c${index}`));
  const answers = await Promise.all(
    said.map((message, index) => post(index % 2 === 0 ? left.http : right.http, 'agent', message)),
  );
  // Many may give up under such a race; none may be taken for accepted that is not there.
  const accepted = said.filter((_, index) => answers[index]?.status === 200).map(({ id }) => id);
  for (const { status, code } of answers) if (status !== 200) expect(code).toBe('unavailable');
  await post(left.http, 'tools', chat('last'));
  await follower.next(({ id }) => id === 'last');
  await other.next(({ id }) => id === 'last');
  const seen = follower.messages.filter(({ from }) => from === 'agent').map(({ id }) => id);
  expect([...seen].sort()).toEqual([...accepted].sort());
  expect(other.messages.filter(({ from }) => from === 'agent').map(({ id }) => id)).toEqual(seen);
  // The same again, elsewhere, is known there.
  expect((await post(right.http, 'agent', chat('c0'))).body['status']).toMatch(/accepted|duplicate/);
  const again = await post(right.http, 'agent', chat(accepted[0] ?? ''));
  expect(again.body).toMatchObject({ status: 'duplicate' });
});

it('O-19, I-2: what both find out by themselves is said once', async () => {
  const journal = createMemoryJournal();
  await using left = await startTestGateway('dev: true', shared(journal));
  await using right = await startTestGateway('dev: true', shared(journal));
  await using agent = await connectPeer(left.ws, 'agent');
  await using reviewer = await connectPeer(right.ws, 'reviewer');
  for (let count = 0; count < 20; count++) await agent.say(proposal(`p${count}`, { ttl: 100 }));
  await agent.say(proposal('later'));
  await reviewer.next(({ kind, correlationId }) => kind === 'system.notice' && correlationId === 'p19');
  await using tools = await connectPeer(left.ws, 'tools');
  await agent.say(withdrawal('w1', 'later'));
  await tools.next(({ id }) => id === 'w1');
  await reviewer.next(({ id }) => id === 'w1');
  const notices = reviewer.messages.filter(({ kind }) => kind === 'system.notice');
  expect(notices.map(({ correlationId }) => String(correlationId)).sort()).toEqual(
    Array.from({ length: 20 }, (_, count) => `p${count}`).sort(),
  );
  expect((await post(right.http, 'tools', answer('a1', 'nothing'))).status).toBeLessThan(500);
});

it('I-2, O-3: a gateway that has not heard yet what another did finds out when it writes', async () => {
  const journal = createMemoryJournal();
  const gate = createGate();
  const deaf = deafUntil(journal, gate.opened);
  await using left = await startTestGateway('dev: true', shared(journal));
  await post(left.http, 'agent', proposal('p1'));
  const right = await startTestGateway('dev: true', deaf);
  await using tools = await connectPeer(left.ws, 'tools');
  await using elsewhere = await connectPeer(right.ws, 'tools');
  await elsewhere.next(isWelcome);
  await post(left.http, 'agent', chat('c1'));
  await post(left.http, 'reviewer', fulfilment('f1', 'p1'));

  expect(await post(right.http, 'agent', chat('c2'))).toMatchObject({ body: { status: 'accepted' } });
  expect(await post(right.http, 'agent', chat('c1'))).toMatchObject({ body: { status: 'duplicate' } });
  expect(await post(right.http, 'reviewer', fulfilment('f2', 'p1'))).toMatchObject({
    code: 'proposal_not_pending',
  });
  // The very same message, sent to the other gateway because the first did not answer in time.
  expect(await post(right.http, 'reviewer', fulfilment('f1', 'p1'))).toMatchObject({
    body: { status: 'duplicate' },
  });
  gate.open();
  await post(right.http, 'agent', chat('last'));
  await tools.next(({ id }) => id === 'last');
  const seen = tools.messages.filter(({ seq }) => seq !== undefined).map(({ id }) => id);
  expect(seen).toEqual(['c1', 'f1', 'c2', 'last']);
  const listed = (http: string) => ask(`${http}/spaces/main/proposals`, 'agent');
  expect((await listed(left.http)).body).toEqual((await listed(right.http)).body);
  await right.gateway.close();
});

it('I-2, O-3: what another did is recognised when it comes again, though its proposal had to be looked up first', async () => {
  const journal = createMemoryJournal();
  const gate = createGate();
  await using left = await startTestGateway('dev: true', shared(journal));
  await using right = await startTestGateway('dev: true', deafUntil(journal, gate.opened));
  await using tools = await connectPeer(left.ws, 'tools');
  await using elsewhere = await connectPeer(right.ws, 'tools');
  await Promise.all([tools.next(isWelcome), elsewhere.next(isWelcome)]);
  const said = [
    { who: 'agent', message: proposal('p1') },
    { who: 'reviewer', message: rejection('r1', 'p1') },
    { who: 'reviewer', message: fulfilment('f1', 'p1') },
    { who: 'tools', message: answer('a1', 'f1') },
    { who: 'agent', message: proposal('p2') },
    { who: 'agent', message: proposal('p3') },
    { who: 'agent', message: { ...withdrawal('w1', ''), correlationId: ['p2', 'p3'] } },
  ];
  const sayAll = async (http: string) => {
    const answers = [];
    for (const { who, message } of said) answers.push((await post(http, who, message)).body);
    return answers;
  };
  const told = await sayAll(left.http);
  const tooLate = await post(right.http, 'reviewer', fulfilment('f2', 'p1'));
  const toldAgain = await sayAll(right.http);
  gate.open();
  expect(told.map(({ status }) => status)).toEqual(said.map(() => 'accepted'));
  expect(tooLate).toMatchObject({ code: 'proposal_not_pending' });
  const again = told.map(({ id, seq }) => ({ id, seq, status: 'duplicate' }));
  expect(toldAgain).toEqual(again);
  await using reviewer = await connectPeer(right.ws, 'reviewer');
  await post(left.http, 'agent', chat('last'));
  await reviewer.next(({ id }) => id === 'last');
  expect(await sayAll(right.http)).toEqual(again);
  expect(await journal.lastSeq('main')).toBe(said.length + 2);
});

it('O-3: a message that came again is still answered when the gateway closes', async () => {
  const journal = createMemoryJournal();
  const gate = createGate();
  const asked = createGate();
  const slow = journalWith(shared(journal), {
    async *read(stream, from) {
      asked.open();
      await gate.opened;
      yield* journal.read(stream, from);
    },
  });
  const { gateway, ws } = await startTestGateway('dev: true', slow);
  await using agent = await connectPeer(ws, 'agent');
  const { seq } = await agent.say(chat('c1'));
  agent.send(chat('c1'));
  await asked.opened;
  const closing = gateway.close();
  // All that has nothing to wait for has its turn first.
  for (let turn = 0; turn < 50; turn++) await nextTurn();
  gate.open();
  await agent.closed;
  await closing;
  expect(agent.messages.filter(({ id }) => id === 'c1').map((message) => message.seq)).toEqual([seq, seq]);
});

it('O-40, O-41: on one journal, two gateways spend no use twice, and see one another’s counter-offers', async () => {
  const journal = createMemoryJournal();
  await using left = await startTestGateway('dev: true', shared(journal));
  await using right = await startTestGateway('dev: true', shared(journal));
  await using agent = await connectPeer(left.ws, 'agent');
  await using elsewhere = await connectPeer(right.ws, 'agent');
  const granted = await post(left.http, 'reviewer', {
    id: 'g1',
    kind: 'mcpx.grant.capability',
    payload: { to: 'agent', capabilities: ['mcp.request.tools/call:write_file'], uses: 5 },
  });
  expect(granted).toMatchObject({ status: 200 });
  await elsewhere.next(({ id }) => id === 'g1');
  const { correlationId: _proposal, ...call } = fulfilment('m', 'p');
  const answers = await Promise.all(
    Array.from({ length: 16 }, (_, index) =>
      post(index % 2 === 0 ? left.http : right.http, 'agent', { ...call, id: `m${index}` }),
    ),
  );
  const taken = answers.filter(({ status }) => status === 200);
  // Whoever was slower each time may have wasted one.
  expect(taken.length).toBeGreaterThan(0);
  expect(taken.length).toBeLessThanOrEqual(5);
  for (const { status, code } of answers)
    if (status !== 200) expect(['capability_violation', 'unavailable']).toContain(code);
  await expect
    .poll(async () => (await ask(`${right.http}/spaces/main/grants`, 'agent')).body)
    .toEqual({ grants: [] });

  await agent.say(proposal('p1'));
  await elsewhere.next(({ id }) => id === 'p1');
  const offer = { params: { name: 'write_file', arguments: { path: '/tmp/b' } }, reason: 'safer' };
  await post(right.http, 'reviewer', {
    id: 'c1',
    kind: 'mcpx.counter.proposal',
    correlationId: 'p1',
    payload: offer,
  });
  await agent.next(({ id }) => id === 'c1');
  await using tools = await connectPeer(left.ws, 'tools');
  await tools.say({ id: 'n1', kind: 'mcpx.announce.tools', payload: { tools: [{ name: 'write_file' }] } });
  const accepted = await post(left.http, 'agent', {
    id: 'a1',
    kind: 'mcpx.accept.counter',
    correlationId: 'c1',
    payload: {},
  });
  expect(accepted).toMatchObject({ status: 200 });
  expect(await tools.next(({ kind }) => kind.startsWith('mcp.request.'))).toMatchObject({
    from: 'reviewer',
    payload: { params: offer.params },
  });
});
