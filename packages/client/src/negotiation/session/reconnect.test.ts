import { listModes, modeRegistry } from '@proffer/core/negotiation';
import { describe, expect, it } from 'vitest';
import { startTestGateway } from '../../testing/gateway.js';
import { startRelay } from '../../testing/relay.js';
import { participant, WAYS } from '../testing/ways.js';
import { newSessionId } from './mode-session.js';
import { ProposalSession } from './proposal-session.js';

const TERMS = { intent: 'agree on a price', participants: ['ann', 'bob'], ttlMs: 600_000 } as const;

/** Settles when a client with an undisturbed connection sees a message of this type. */
async function seen(session: ProposalSession, type: string): Promise<void> {
  for await (const { envelope } of session) if (envelope.message_type === type) return;
}

describe.each(WAYS)('a lost connection over $name', (way) => {
  it('N-6, I-2: a message whose acknowledgement was lost is sent again under its id, and counts once', async () => {
    await using gateway = await startTestGateway();
    await using relay = await startRelay(way.port(gateway));
    await using ann = participant(way, relay.port, 'ann');
    await using bob = participant(way, way.port(gateway), 'bob');
    await using session = new ProposalSession(ann);
    await session.start(TERMS);
    await using observer = await ProposalSession.join(bob, session.sessionId);
    relay.muteGateway();
    const proposed = session.propose('p1', 'Ten');
    await seen(observer, 'Proposal');
    relay.cut();
    expect(await proposed).toMatchObject({ duplicate: true, state: 'OPEN' });
    expect(session.projection.transcript.map(({ message_type }) => message_type)).toEqual([
      'SessionStart',
      'Proposal',
    ]);
  });

  it('N-2: a start whose acknowledgement was lost is recognised; one made by somebody else is not', async () => {
    await using gateway = await startTestGateway();
    await using relay = await startRelay(way.port(gateway));
    await using ann = participant(way, relay.port, 'ann');
    await using bob = participant(way, way.port(gateway), 'bob');
    const sessionId = newSessionId();
    // A connection must be up before it can be muted.
    await ann.signal({ type: 'about.to.start' });
    const created = (async () => {
      for await (const { session } of bob.watchSessions()) if (session.session_id === sessionId) return;
    })();
    relay.muteGateway();
    await using session = new ProposalSession(ann);
    const started = session.start({ ...TERMS, sessionId });
    await created;
    relay.cut();
    expect(await started).toMatchObject({ duplicate: true });
    expect(session.state).toBe('OPEN');
    await using second = new ProposalSession(ann);
    await expect(second.start({ ...TERMS, sessionId })).rejects.toMatchObject({
      code: 'SESSION_ALREADY_EXISTS',
      retryable: false,
    });
  });

  it('N-4: a suspension whose acknowledgement was lost counts as done', async () => {
    await using gateway = await startTestGateway();
    await using relay = await startRelay(way.port(gateway));
    await using ann = participant(way, relay.port, 'ann');
    await using bob = participant(way, way.port(gateway), 'bob');
    await using session = new ProposalSession(ann);
    await session.start(TERMS);
    await using observer = await ProposalSession.join(bob, session.sessionId);
    relay.muteGateway();
    const suspended = session.suspend();
    await seen(observer, 'SessionSuspend');
    relay.cut();
    expect(await suspended).toMatchObject({ state: 'SUSPENDED' });
    await session.resume();
    expect(session.state).toBe('OPEN');
  });

  it('I-6, N-12: following continues across cuts and a restart, without gaps or repeats', async () => {
    await using gateway = await startTestGateway();
    await using relay = await startRelay(way.port(gateway));
    await using ann = participant(way, way.port(gateway), 'ann');
    await using bob = participant(way, relay.port, 'bob');
    await using session = new ProposalSession(ann);
    await session.start(TERMS);
    await using follower = await ProposalSession.join(bob, session.sessionId);
    const speaking = (async () => {
      for (let count = 1; count <= 60; count++) await session.propose(`p${count}`, String(count));
      await session.cancel();
    })();
    const received: string[] = [];
    for await (const { sequence, envelope } of bob.subscribe(session.sessionId)) {
      received.push(`${sequence} ${envelope.message_id}`);
      if (sequence % 10 === 5) relay.cut();
      if (sequence === 30) {
        await gateway.stop();
        await gateway.start();
      }
    }
    await speaking;
    const { transcript } = session.projection;
    expect(received).toEqual(transcript.map(({ message_id }, index) => `${index + 1} ${message_id}`));
    expect(received).toHaveLength(62);
    for await (const _ of follower) {
      // Until the end.
    }
    expect(follower.projection.negotiation).toEqual(session.projection.negotiation);
    expect(follower.state).toBe('CANCELLED');
  });

  it('I-1: a gateway restart between the messages of a negotiation loses none of it', async () => {
    await using gateway = await startTestGateway();
    await using ann = participant(way, way.port(gateway), 'ann');
    await using session = new ProposalSession(ann);
    await session.start(TERMS);
    const restart = async (): Promise<void> => {
      await gateway.stop();
      await gateway.start();
    };
    await restart();
    await session.propose('p1', 'Ten');
    await restart();
    await session.accept('p1', { sender: 'bob' });
    await restart();
    await session.commit({ action: 'sold', authorityScope: 'shop', reason: 'bob accepts' });
    expect(session.projection).toMatchObject({ isPositiveOutcome: true });
    expect(session.projection.transcript).toHaveLength(4);
  });

  it('gives up when the time is up, and at once when aborted', async () => {
    await using gateway = await startTestGateway();
    await using ann = participant(way, way.port(gateway), 'ann');
    await using session = new ProposalSession(ann);
    await session.start(TERMS);
    await gateway.stop();
    await expect(session.propose('p1', 'Ten', { timeout: 200 })).rejects.toMatchObject({
      name: 'MacpError',
      code: expect.stringMatching(/UNAVAILABLE|TIMED_OUT/),
      retryable: true,
    });
    const controller = new AbortController();
    const proposed = session.propose('p1', 'Ten', { signal: controller.signal });
    const reason = new Error('never mind');
    controller.abort(reason);
    await expect(proposed).rejects.toBe(reason);
    await gateway.start();
    await session.propose('p1', 'Ten');
    expect(session.projection.liveProposals()).toHaveLength(1);
  });

  it('a gateway that does not answer counts as gone after the time for one attempt', async () => {
    await using gateway = await startTestGateway();
    await using relay = await startRelay(way.port(gateway));
    await using ann = participant(way, relay.port, 'ann', { attemptTimeout: 100 });
    await ann.listModes();
    relay.muteGateway();
    await expect(ann.listModes({ timeout: 300 })).rejects.toMatchObject({
      code: expect.stringMatching(/TIMED_OUT|UNAVAILABLE/),
      retryable: true,
    });
    relay.cut();
    await expect(ann.listModes()).resolves.toEqual(listModes(modeRegistry.initial));
  });
});
