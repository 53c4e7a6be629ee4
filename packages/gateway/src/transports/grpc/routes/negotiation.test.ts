import { randomUUID } from 'node:crypto';
import { createMemoryJournal } from '@proffer/journal';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shared } from '../../../testing/journals.js';
import { closedConfig } from '../../../testing/strangers.js';
import { type GrpcPeer, startPeer } from '../testing/grpc-peer.js';
import { serveFor } from '../testing/served.js';
import { openTable, START, type Table } from '../testing/table.js';

let peer: GrpcPeer;
beforeAll(async () => {
  peer = await startPeer();
});
afterAll(() => peer[Symbol.asyncDispose]());

const OK = { ok: true, duplicate: false };
const refused = (code: string) => ({ ok: false, error: { code } });

/** A session in which buyer and seller have agreed on p2. */
async function agreed(): Promise<Table> {
  const table = openTable(peer);
  await table.start();
  await table.propose('seller', 'p1');
  const counter = { proposal_id: 'p2', supersedes_proposal_id: 'p1', title: 'Enhanced' };
  await table.say('buyer', 'CounterProposal', counter);
  await table.accept('seller', 'p2');
  await table.accept('buyer', 'p2');
  return table;
}

describe('negotiation over gRPC', () => {
  it('N-9: the coordinator commits what buyer and seller have accepted, speaking for both (N-7)', async () => {
    await serveFor(peer);
    const table = openTable(peer, randomUUID(), () => 'coordinator');
    expect(await table.start()).toMatchObject({
      ...OK,
      session_id: table.id,
      session_state: 'SESSION_STATE_OPEN',
    });
    expect(await table.propose('seller', 'p1')).toMatchObject(OK);
    const counter = {
      proposal_id: 'p2',
      supersedes_proposal_id: 'p1',
      summary: 'premium',
      details: Buffer.of(0, 255),
    };
    expect(await table.say('buyer', 'CounterProposal', counter)).toMatchObject(OK);
    expect(await table.accept('seller', 'p2')).toMatchObject(OK);
    expect(await table.commit('coordinator')).toMatchObject(refused('INVALID_ENVELOPE'));
    expect(await table.accept('buyer', 'p2')).toMatchObject(OK);
    expect(await table.commit('coordinator')).toMatchObject({
      ...OK,
      session_state: 'SESSION_STATE_RESOLVED',
      error: null,
    });
    expect(await table.metadata('coordinator')).toMatchObject({
      state: 'SESSION_STATE_RESOLVED',
      initiator: 'coordinator',
      policy_version: 'policy.default',
      participants: START.participants,
      participant_activity: [
        { participant_id: 'buyer', message_count: 2 },
        { participant_id: 'coordinator', message_count: 2 },
        { participant_id: 'seller', message_count: 2 },
      ],
    });
  });

  it('N-7: attributes an envelope without a sender to the owner of the token', async () => {
    await serveFor(peer);
    const table = openTable(peer, randomUUID(), (name) => name || 'buyer');
    expect(await table.say('', 'SessionStart', START)).toMatchObject(OK);
    expect(await table.propose('', 'p1')).toMatchObject(OK);
    expect(await table.metadata('buyer')).toMatchObject({
      initiator: 'buyer',
      participant_activity: [{ participant_id: 'buyer', message_count: 2 }],
    });
    const stream = peer.open('StreamSession', { token: 'seller' });
    stream.write({ subscribe_session_id: table.id });
    expect(await stream.take(2)).toMatchObject(
      ['SessionStart', 'Proposal'].map((message_type) => ({ envelope: { message_type, sender: 'buyer' } })),
    );
    stream.cancel();
  });

  it("N-1: the start binds a session's settings, including extensions and roots", async () => {
    await serveFor(peer);
    const table = openTable(peer);
    const more = {
      context_id: 'ctx',
      extensions: { 'x.y': Buffer.of(1) },
      roots: [{ uri: 'file:///a', name: 'a' }],
    };
    expect(await table.start(more)).toMatchObject(OK);
    const bound = {
      context_id: 'ctx',
      extension_keys: ['x.y'],
      mode_version: '1.0.0',
      configuration_version: 'config.1',
    };
    expect(await table.metadata('buyer')).toMatchObject(bound);
  });

  it.each([
    ['no participants', { participants: [] }],
    ['a participant twice', { participants: ['a', 'a'] }],
    ['too many participants', { participants: Array.from({ length: 1001 }, (_, index) => `p${index}`) }],
    ['no intent', { intent: '' }],
    ['no version of the configuration', { configuration_version: '' }],
    ['no time to live', { ttl_ms: 0 }],
    ['a negative time to live', { ttl_ms: -1 }],
    ['more than a day to live', { ttl_ms: 86_400_001 }],
  ])('N-1: %s is refused', async (_, more) => {
    await serveFor(peer);
    expect(await openTable(peer).start(more)).toMatchObject(refused('INVALID_ENVELOPE'));
  });

  it('N-2: a session id must be valid, and is taken once', async () => {
    await serveFor(peer);
    for (const id of ['', 'short', randomUUID().toUpperCase(), 'a'.repeat(129)]) {
      expect(await openTable(peer, id).start()).toMatchObject(refused('INVALID_SESSION_ID'));
    }
    expect(await openTable(peer, 'A-token_of_base64url_22').start()).toMatchObject(OK);
    const table = openTable(peer);
    expect(await table.start()).toMatchObject(OK);
    expect(await table.start()).toMatchObject(refused('SESSION_ALREADY_EXISTS'));
  });

  it('N-4: suspends, resumes and cancels, by the initiator alone', async () => {
    await serveFor(peer, closedConfig({ coordinator: '', buyer: '', seller: '' }));
    const table = openTable(peer, randomUUID(), (name) => `token-of-${name}`);
    await table.start();
    const about = { session_id: table.id, reason: 'lunch' };
    const as = (name: string) => ({ token: `token-of-${name}` });
    const state = (name: string) => ({ ack: { ok: true, session_state: `SESSION_STATE_${name}` } });
    expect(await peer.refused('SuspendSession', about, as('buyer'))).toMatchObject({
      code: 7,
      macpCode: 'FORBIDDEN',
    });
    expect(await peer.ask('SuspendSession', about, as('coordinator'))).toMatchObject(state('SUSPENDED'));
    expect(await table.propose('buyer', 'p1')).toMatchObject(refused('SESSION_NOT_OPEN'));
    expect(await peer.refused('SuspendSession', about, as('coordinator'))).toMatchObject({ code: 9 });
    expect(await peer.ask('ResumeSession', about, as('coordinator'))).toMatchObject(state('OPEN'));
    expect(await table.propose('buyer', 'p1')).toMatchObject(OK);
    expect(await peer.refused('CancelSession', about, as('buyer'))).toMatchObject({ code: 7 });
    expect(await peer.ask('CancelSession', about, as('coordinator'))).toMatchObject(state('CANCELLED'));
    expect(await table.propose('buyer', 'p2')).toMatchObject(refused('SESSION_NOT_OPEN'));
    const stream = peer.open('StreamSession', as('buyer'));
    stream.write({ subscribe_session_id: table.id });
    expect((await stream.take(5)).map(({ envelope }) => envelope)).toMatchObject(
      ['SessionStart', 'SessionSuspend', 'SessionResume', 'Proposal', 'SessionCancel'].map(
        (message_type) => ({ message_type }),
      ),
    );
    stream.cancel();
    const forged = await table.say('coordinator', 'SessionCancel', { reason: 'mine' });
    expect(forged).toMatchObject({ ok: false });
  });

  it("N-5: a session accepts nothing after its deadline, on the gateway's clock, and is expired", async () => {
    let now = 1_800_000_000_000;
    await serveFor(peer, 'dev: true', { clock: () => now });
    const table = openTable(peer);
    expect(await table.start({ ttl_ms: 1_000 })).toMatchObject({ ...OK, accepted_at_unix_ms: now });
    expect(await table.metadata('buyer')).toMatchObject({
      started_at_unix_ms: now,
      expires_at_unix_ms: now + 1_000,
    });
    now += 1_000;
    expect(await table.propose('buyer', 'p1')).toMatchObject(OK);
    now += 1;
    expect(await table.propose('buyer', 'p2')).toMatchObject(refused('SESSION_NOT_OPEN'));
    expect(await table.metadata('buyer')).toMatchObject({ state: 'SESSION_STATE_EXPIRED' });
  });

  it('N-6: a repeated message is a duplicate; a refused one may be corrected and resent', async () => {
    await serveFor(peer);
    const table = openTable(peer);
    await table.start();
    const more = { message_id: 'm1' };
    expect(await table.say('buyer', 'Accept', { proposal_id: 'p1' }, { more })).toMatchObject(
      refused('INVALID_ENVELOPE'),
    );
    const first = await table.say('buyer', 'Proposal', { proposal_id: 'p1' }, { more });
    expect(first).toMatchObject({ ...OK, message_id: 'm1' });
    const again = await table.say('buyer', 'Proposal', { proposal_id: 'p1' }, { more });
    expect(again).toEqual({ ...first, duplicate: true });
    expect(await table.metadata('buyer')).toMatchObject({ participant_activity: [{ message_count: 1 }, {}] });
  });

  it('N-10: a negative outcome needs a terminal rejection, a positive one convergence', async () => {
    await serveFor(peer);
    const table = openTable(peer);
    await table.start();
    await table.propose('seller', 'p1');
    const negative = { outcome_positive: false };
    expect(await table.commit('coordinator', negative)).toMatchObject(refused('INVALID_ENVELOPE'));
    expect(await table.say('buyer', 'Reject', { proposal_id: 'p1', terminal: true })).toMatchObject(OK);
    expect(await table.commit('coordinator')).toMatchObject(refused('POLICY_DENIED'));
    expect(await table.commit('coordinator', negative)).toMatchObject({
      session_state: 'SESSION_STATE_RESOLVED',
    });
  });

  it('N-11: after a terminal rejection only what ends or withdraws it is accepted', async () => {
    await serveFor(peer);
    const table = openTable(peer);
    await table.start();
    await table.propose('seller', 'p1');
    await table.say('buyer', 'Reject', { proposal_id: 'p1', terminal: true });
    expect(await table.propose('seller', 'p2')).toMatchObject(refused('SESSION_NOT_OPEN'));
    expect(await table.accept('seller', 'p1')).toMatchObject(refused('SESSION_NOT_OPEN'));
    expect(await table.say('seller', 'Withdraw', { proposal_id: 'p1' })).toMatchObject(OK);
    expect(await table.propose('seller', 'p2')).toMatchObject(OK);
  });

  it('N-12: a restarted gateway reports and streams the same', async () => {
    const journal = createMemoryJournal();
    const first = await serveFor(peer, 'dev: true', { journal: shared(journal) });
    const table = await agreed();
    await table.commit('coordinator');
    const read = async (): Promise<unknown> => {
      const stream = peer.open('StreamSession', { token: 'buyer' });
      stream.write({ subscribe_session_id: table.id });
      const messages = await stream.take(6);
      stream.cancel();
      return [messages, await table.metadata('buyer')];
    };
    const before = await read();
    await first.gateway.close();
    await serveFor(peer, 'dev: true', { journal });
    expect(await read()).toEqual(before);
  });
});
