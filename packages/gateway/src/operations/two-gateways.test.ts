import { setImmediate as nextTurn } from 'node:timers/promises';
import type { JsonObject } from '@proffer/core/json';
import { createMemoryJournal, type Journal } from '@proffer/journal';
import { expect, it } from 'vitest';
import { describeOperations } from '../testing/across/operations.js';
import { describeSharedLimits, SHARED_LIMITS } from '../testing/across/shared-limits.js';
import { createGate, journalWith, shared } from '../testing/journals.js';
import { answer, chat, fulfilment, proposal, rejection, withdrawal } from '../testing/messages.js';
import { ask, post } from '../testing/peers/http.js';
import { connectPeer, type Message } from '../testing/peers/peer.js';
import { onTwoGateways } from '../testing/places.js';
import { startTestGateway } from '../testing/test-gateway.js';

/** A journal whose feed delivers nothing new until then. */
const deafUntil = (journal: Journal, opened: Promise<void>): Journal =>
  journalWith(shared(journal), {
    async *feed(space, after, options) {
      if (options?.follow !== false) await opened;
      yield* journal.feed(space, after, options);
    },
  });

const isWelcome = ({ kind }: Message): boolean => kind === 'system.welcome';

const venue = onTwoGateways(SHARED_LIMITS);
describeOperations('two gateways', venue);
describeSharedLimits('two gateways', venue);

it('I-2, O-3: a gateway that lags behind another finds out when it writes', async () => {
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

it("I-2, O-3: recognises another gateway's message when it is repeated, though its proposal had to be looked up first", async () => {
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
  const again = JSON.parse(
    JSON.stringify(told).replaceAll('"status":"accepted"', '"status":"duplicate"'),
  ) as JsonObject[];
  expect(toldAgain).toEqual(again);
  await using reviewer = await connectPeer(right.ws, 'reviewer');
  await post(left.http, 'agent', chat('last'));
  await reviewer.next(({ id }) => id === 'last');
  expect(await sayAll(right.http)).toEqual(again);
  expect(await journal.lastSeq('main')).toBe(said.length + 2);
});

it('O-3: still answers a repeated message when the gateway closes', async () => {
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
  // Everything that has nothing to wait for goes first.
  for (let turn = 0; turn < 50; turn++) await nextTurn();
  gate.open();
  await agent.closed;
  await closing;
  expect(agent.messages.filter(({ id }) => id === 'c1').map((message) => message.seq)).toEqual([seq, seq]);
});

it("O-12, O-19: a client told that a proposal expired can rely on it, whatever the gateway's clock says", async () => {
  const journal = createMemoryJournal();
  const gate = createGate();
  let ahead = 0;
  await using left = await startTestGateway('dev: true', shared(journal));
  await using tools = await connectPeer(left.ws, 'tools');
  await tools.next(isWelcome);
  for (const id of ['p1', 'p2', 'p3']) await post(left.http, 'agent', proposal(id, { ttl: 60_000 }));
  await using right = await startTestGateway(
    'dev: true',
    deafUntil(journal, gate.opened),
    () => Date.now() + ahead,
  );
  await using elsewhere = await connectPeer(right.ws, 'tools');
  await elsewhere.next(isWelcome);
  // It cannot close before it has received everything.
  using _ = { [Symbol.dispose]: () => gate.open() };
  ahead = 61_000;
  const expired = { code: 'proposal_not_pending', body: { details: { state: 'expired' } } };
  expect(await post(right.http, 'reviewer', fulfilment('f1', 'p1'))).toMatchObject(expired);
  expect(await post(left.http, 'reviewer', fulfilment('f2', 'p1'))).toMatchObject(expired);
  expect(await post(right.http, 'agent', withdrawal('w3', 'p3'))).toMatchObject({ body: { status: 'late' } });
  expect(await post(left.http, 'reviewer', fulfilment('f3', 'p3'))).toMatchObject(expired);

  // It reports what another gateway did before, not what the clock would have caused.
  expect(await post(left.http, 'reviewer', fulfilment('f4', 'p2'))).toMatchObject({ status: 200 });
  expect(await post(right.http, 'reviewer', fulfilment('f5', 'p2'))).toMatchObject({
    code: 'proposal_not_pending',
    body: { details: { state: 'fulfilled', by: 'reviewer' } },
  });
});
