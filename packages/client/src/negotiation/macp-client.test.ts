import { createHash } from 'node:crypto';
import {
  listModes,
  type MacpEnvelope,
  modeRegistry,
  PROPOSAL_MODE,
  servedModes,
} from '@proffer/core/negotiation';
import { describe, expect, it } from 'vitest';
import { startTestGateway } from '../testing/gateway.js';
import { ProposalSession } from './session/proposal-session.js';
import { participant, WAYS } from './testing/ways.js';

const TERMS = { intent: 'agree on a price', participants: ['ann', 'bob'], ttlMs: 60_000 } as const;

const TOKEN = 'a'.repeat(32);
const ONLY_ANN = `
participants:
  ann: { tokens: ['sha256:${createHash('sha256').update(TOKEN).digest('hex')}'], negotiation: {} }
spaces: { main: {} }
`;

describe.each(WAYS)('a runtime over $name', (way) => {
  it('describes itself and the modes it serves', async () => {
    await using gateway = await startTestGateway();
    await using client = participant(way, way.port(gateway), 'ann');
    const runtime = await client.initialize();
    expect(runtime).toMatchObject({
      protocolVersion: '1.0',
      supportedModes: servedModes().map(({ mode }) => mode),
    });
    expect(runtime.name).not.toBe('');
    expect(await client.listModes()).toEqual(listModes(modeRegistry.initial));
  });

  it('lists the other addresses where it can be reached', async () => {
    await using gateway = await startTestGateway();
    await using client = participant(way, way.port(gateway), 'ann');
    const manifest = await client.getManifest();
    expect(manifest.supported_modes).toEqual(servedModes().map(({ mode }) => mode));
    expect(manifest.transport_endpoints.map(({ uri }) => uri)).toEqual([
      `grpc://127.0.0.1:${gateway.grpcPort}`,
      `http://127.0.0.1:${gateway.port}/macp`,
      `ws://127.0.0.1:${gateway.port}/macp/ws`,
    ]);
    expect(await client.getManifest({ agentId: manifest.agent_id })).toEqual(manifest);
    await expect(client.getManifest({ agentId: 'somebody' })).rejects.toMatchObject({
      code: 'INVALID_ENVELOPE',
    });
  });

  it('N-8: lists and reports the sessions that the caller may read', async () => {
    await using gateway = await startTestGateway();
    await using client = participant(way, way.port(gateway), 'ann');
    await using first = new ProposalSession(client);
    await first.start(TERMS);
    const events: string[] = [];
    const watching = (async () => {
      for await (const { type, session } of client.watchSessions()) {
        events.push(
          `${type} ${session.session_id === first.sessionId ? 'first' : 'second'} ${session.state}`,
        );
        if (type === 'CREATED' && events.length === 1) await first.suspend();
        if (type === 'SUSPENDED') {
          const second = new ProposalSession(client);
          await second.start(TERMS);
          await second.cancel();
        }
        if (type === 'CANCELLED') break;
      }
    })();
    await watching;
    expect(events).toEqual([
      'CREATED first OPEN',
      'SUSPENDED first SUSPENDED',
      expect.stringMatching(/^CREATED second/),
      'CANCELLED second CANCELLED',
    ]);
    const { sessions, hasMore } = await client.listSessions();
    expect(hasMore).toBe(false);
    expect(sessions.map(({ state }) => state).sort()).toEqual(['CANCELLED', 'SUSPENDED']);
    await expect(client.getSession('0'.repeat(22))).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' });
    await expect(ProposalSession.join(client, '0'.repeat(22))).rejects.toMatchObject({
      code: 'SESSION_NOT_FOUND',
    });
  });

  it('N-8, I-7: indicates more sessions than fit into one answer, and reports all of them', async () => {
    await using gateway = await startTestGateway();
    await using client = participant(way, way.port(gateway), 'ann');
    const crowd = Array.from({ length: 999 }, (_, index) => `${index}-`.padEnd(250, 'n'));
    const started: string[] = [];
    for (let count = 0; count < 18; count++) {
      await using session = new ProposalSession(client);
      await session.start({ ...TERMS, participants: ['ann', ...crowd] });
      started.push(session.sessionId);
    }
    const { sessions, hasMore } = await client.listSessions();
    expect(hasMore).toBe(true);
    expect(sessions.length).toBeLessThan(started.length);
    expect(sessions.map(({ session_id }) => session_id)).toEqual(started.slice(-sessions.length));
    const told = new Set<string>();
    for await (const { session } of client.watchSessions()) {
      if (told.add(session.session_id).size === started.length) break;
    }
    expect([...told].sort()).toEqual([...started].sort());
  });

  it('N-13: registers, shows, watches and removes policies', async () => {
    await using gateway = await startTestGateway();
    await using manager = participant(way, way.port(gateway), 'reviewer');
    const seen: number[] = [];
    const watching = (async () => {
      for await (const descriptors of manager.watchPolicies()) {
        seen.push(descriptors.length);
        if (seen.length === 1) {
          await manager.registerPolicy({
            policyId: 'policy.shop',
            rules: { counter_proposal: { max_rounds: 2 } },
          });
        }
        if (seen.length === 2) await manager.unregisterPolicy('policy.shop');
        if (seen.length === 3) break;
      }
    })();
    await watching;
    const [before = 0] = seen;
    expect(seen).toEqual([before, before + 1, before]);
    const names = (await manager.listPolicies({ mode: PROPOSAL_MODE })).map(({ policy_id }) => policy_id);
    expect(names).toEqual(['policy.default', 'policy.guide', 'policy.rfc-0008']);
    const rules = await manager.getPolicyRules('policy.rfc-0008');
    expect(rules).toMatchObject({ withdrawal: { authority: 'author' } });
    await expect(manager.getPolicy('policy.ship')).rejects.toMatchObject({ code: 'UNKNOWN_POLICY_VERSION' });
    await expect(manager.registerPolicy({ policyId: 'p', rules: { nonsense: {} } })).rejects.toMatchObject({
      code: 'INVALID_POLICY_DEFINITION',
      message: expect.stringContaining('rules.nonsense'),
    });
  });

  it('passes signals on to listeners', async () => {
    await using gateway = await startTestGateway();
    await using ann = participant(way, way.port(gateway), 'ann');
    await using bob = participant(way, way.port(gateway), 'bob');
    const received: MacpEnvelope[] = [];
    const listening = (async () => {
      for await (const envelope of bob.watchSignals()) {
        received.push(envelope);
        break;
      }
    })();
    // There is no way to tell when the other side has started to listen, so it is repeated until it
    // arrives.
    while (received.length === 0)
      await ann.signal({ type: 'market.moved', data: { by: 3 }, confidence: 0.5 });
    await listening;
    expect(received[0]).toMatchObject({
      sender: 'ann',
      message_type: 'Signal',
      payload: { signal_type: 'market.moved', confidence: 0.5 },
    });
  });

  it('N-3: a rate-limited call waits as long as the gateway asks, and goes through', async () => {
    await using gateway = await startTestGateway(
      'dev: true\nlimits: { negotiation_messages_per_participant: 20/s }',
    );
    await using client = participant(way, way.port(gateway), 'ann');
    await using session = new ProposalSession(client);
    await session.start(TERMS);
    const offers = Array.from({ length: 30 }, (_, index) => session.propose(`p${index}`, 'An offer'));
    await Promise.all(offers);
    expect(session.projection.proposals.size).toBe(30);
  });

  it('N-3: a rate-limited call fails where waiting is switched off', async () => {
    await using gateway = await startTestGateway(
      'dev: true\nlimits: { negotiation_messages_per_participant: 1/min }',
    );
    await using impatient = participant(way, way.port(gateway), 'ann', { retry: false });
    await impatient.signal({ type: 'enough' });
    await expect(impatient.signal({ type: 'too.many' })).rejects.toMatchObject({
      code: 'RATE_LIMITED',
      retryable: true,
    });
  });

  it('closing a client ends what is in progress and refuses further calls', async () => {
    await using gateway = await startTestGateway();
    const client = participant(way, way.port(gateway), 'ann');
    const session = new ProposalSession(client);
    await session.start(TERMS);
    const envelopes = session.envelopes({ after: 1 });
    const next = envelopes.next();
    await gateway.stop();
    const waiting = client.listModes();
    await client.close();
    await expect(waiting).rejects.toMatchObject({ code: 'UNAVAILABLE', message: 'The client is closed.' });
    expect(await next).toEqual({ done: true, value: undefined });
    await expect(client.listSessions()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });

  it('N-7: an unknown token is refused, and so is a sender it may not speak for', async () => {
    await using gateway = await startTestGateway(ONLY_ANN);
    await using stranger = participant(way, way.port(gateway), 'ann');
    await expect(stranger.listSessions()).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
      retryable: false,
    });
    await expect(new ProposalSession(stranger).start(TERMS)).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
    });
    const auth = { token: () => Promise.resolve(TOKEN), sender: 'ann' };
    await using ann = participant(way, way.port(gateway), 'ann', { auth });
    await using session = new ProposalSession(ann);
    await session.start(TERMS);
    await expect(session.propose('p1', 'Ten', { sender: 'bob' })).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
    });
    await expect(ann.registerPolicy({ policyId: 'p', rules: {} })).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
  });
});
