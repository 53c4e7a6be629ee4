import { createHash } from 'node:crypto';
import { type MacpEnvelope, PROPOSAL_MODE } from '@proffer/core/negotiation';
import { expect, it } from 'vitest';
import { startTestGateway } from '../../testing/gateway.js';
import { startRelay } from '../../testing/relay.js';
import { ProposalSession } from '../session/proposal-session.js';
import { participant, WAYS } from '../testing/ways.js';

const TERMS = { intent: 'agree on a price', participants: ['ann', 'bob'], ttlMs: 600_000 } as const;

const way = WAYS.find(({ name }) => name === 'WebSocket');
if (way === undefined) throw new Error('There is no WebSocket.');

const offer = (session_id: string, proposal_id: string): MacpEnvelope => ({
  macp_version: '1.0',
  mode: PROPOSAL_MODE,
  message_type: 'Proposal',
  message_id: proposal_id,
  session_id,
  sender: 'ann',
  timestamp_unix_ms: 0,
  payload: { proposal_id, title: 'An offer' },
});

it('everything is sent and followed over one connection', async () => {
  await using gateway = await startTestGateway('dev: true\nlimits: { connections_per_token: 1 }');
  await using ann = participant(way, way.port(gateway), 'ann');
  for (let count = 0; count < 3; count++) {
    const session = new ProposalSession(ann);
    await session.start(TERMS);
    await session.propose('p1', 'Ten');
    await session.refresh();
    expect(session.projection.liveProposals()).toHaveLength(1);
  }
});

it('I-6, I-7: a slow consumer loses nothing, and delays no one', async () => {
  await using gateway = await startTestGateway(
    'dev: true\nlimits: { negotiation_messages_per_participant: 1000000/s }',
  );
  await using ann = participant(way, way.port(gateway), 'ann');
  await using bob = participant(way, way.port(gateway), 'bob');
  await using session = new ProposalSession(ann);
  await session.start(TERMS);
  const slow = bob.subscribe(session.sessionId);
  const received = [(await slow.next()).value?.sequence];
  // More than is buffered for a consumer that does not read.
  const count = 2_500;
  for (let index = 0; index < count; index += 100) {
    const some = Array.from({ length: 100 }, (_, more) => offer(session.sessionId, `p${index + more}`));
    await Promise.all(some.map((envelope) => ann.send(envelope)));
  }
  // On the same connection, so everything before it arrived and was kept or dropped.
  await bob.signal({ type: 'still.here' });
  while (received.length <= count) received.push((await slow.next()).value?.sequence);
  expect(received).toEqual(Array.from({ length: count + 1 }, (_, index) => index + 1));
  await slow.return(undefined);
});

it('N-3: an envelope that is too large is refused as such', async () => {
  await using gateway = await startTestGateway();
  await using ann = participant(way, way.port(gateway), 'ann');
  await using session = new ProposalSession(ann);
  await session.start(TERMS);
  await session.propose('p1', 'Long', { summary: 'x'.repeat(500_000) });
  await expect(session.propose('p2', 'Too long', { summary: 'x'.repeat(5_000_000) })).rejects.toMatchObject({
    code: 'PAYLOAD_TOO_LARGE',
  });
  await session.propose('p3', 'Short');
  expect(session.projection.liveProposals()).toHaveLength(2);
});

it('N-6: a connection without an answer in time counts as lost, and the message is sent again on another', async () => {
  await using gateway = await startTestGateway();
  await using relay = await startRelay(way.port(gateway));
  await using ann = participant(way, relay.port, 'ann', { attemptTimeout: 200 });
  const { sessionId } = await (async () => {
    const session = new ProposalSession(ann);
    await session.start(TERMS);
    return session;
  })();
  relay.muteGateway();
  await expect(ann.signal({ type: 'nobody.answers' }, { timeout: 300 })).rejects.toMatchObject({
    code: expect.stringMatching(/TIMED_OUT|UNAVAILABLE/),
  });
  relay.cut();
  const before = relay.made;
  await ann.signal({ type: 'again' });
  expect(relay.made).toBeGreaterThan(before);
  expect(await ann.getSession(sessionId)).toMatchObject({ state: 'OPEN' });
});

it('I-4: revoking a token ends what is followed', async () => {
  const yaml = (token: string): string =>
    `participants: { ann: { tokens: ['sha256:${createHash('sha256').update(token).digest('hex')}'] } }`;
  const token = 'a'.repeat(32);
  await using gateway = await startTestGateway(yaml(token));
  await using ann = participant(way, way.port(gateway), 'ann', { auth: { token, sender: 'ann' } });
  await using session = new ProposalSession(ann);
  await session.start(TERMS);
  const following = ann.subscribe(session.sessionId, { after: 1 }).next();
  gateway.reload(yaml('b'.repeat(32)));
  await expect(following).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  await expect(ann.signal({ type: 'too.late' })).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
});
