import { type JsonObject, textOf } from '@proffer/core/json';
import { createMemoryJournal } from '@proffer/journal';
import { describe, expect, it } from 'vitest';
import { loopbackConfig } from '../loopback.js';
import { describeMembership, invite, kick, tokenIn } from '../testing/across/membership.js';
import { openJournal, temporaryFolder } from '../testing/folder.js';
import { call, chat, fulfilment, proposal } from '../testing/messages.js';
import { ask, post } from '../testing/peers/http.js';
import { joinAs, ofKind, rootOf } from '../testing/peers/mew-client.js';
import { connectPeer } from '../testing/peers/peer.js';
import { onTwoGateways } from '../testing/places.js';
import { startTestGateway } from '../testing/test-gateway.js';
import { createToken } from '../token.js';

describeMembership('two gateways', onTwoGateways());

const HOUR = 3_600_000;

describe('invitations', () => {
  it('O-51: let somebody in within what the inviter may do, and only the inviter learns the token', async () => {
    await using gateway = await startTestGateway();
    await using reviewer = await connectPeer(gateway.ws, 'reviewer', { records: 'true' });
    await using other = await connectPeer(gateway.ws, 'agent', { records: 'true' });
    const invited = await post(gateway.http, 'reviewer', invite('i1'));
    const token = tokenIn(invited);
    expect(await reviewer.next(({ kind }) => kind === 'system.invitation')).toMatchObject({
      correlationId: 'i1',
      payload: { status: 'created', participant: 'guest', token },
    });
    await other.next(({ kind, payload }) => kind === 'system.presence' && payload['event'] === 'invited');
    await other.next(({ id }) => id === 'i1');
    expect(JSON.stringify(other.messages)).not.toContain(token);
    expect(await post(gateway.http, 'reviewer', invite('i1'))).toMatchObject({
      body: { status: 'duplicate' },
    });
    await using guest = await connectPeer(gateway.ws, token);
    expect(await guest.next(({ kind }) => kind === 'system.welcome')).toMatchObject({
      payload: { you: { id: 'guest', capabilities: ['chat.message'] } },
    });
    await guest.say(chat('c1'));
    expect(await post(gateway.http, token, proposal('p1'))).toMatchObject({ code: 'capability_violation' });
    // A token with another text after it, or for another name, is not the token.
    const [secret = ''] = token.split('.');
    const forged = `${secret}.${Buffer.from('["main","reviewer"]').toString('base64url')}`;
    for (const wrong of [`${token}x`, forged, `${secret}.${secret}`])
      expect(await post(gateway.http, wrong, chat('c2'))).toMatchObject({ status: 401 });
    // It was invited to this space, and to nothing else.
    expect(await ask(`${gateway.http}/macp/session/x`, token)).toMatchObject({ status: 403 });
  });

  it('O-30, O-51: give nobody a second approval, nor the approval of what an invited one proposes', async () => {
    await using gateway = await startTestGateway(`
dev: true
spaces:
  main:
    review:
      - { call: mcp.request.tools/call:write_file, approvals: 2, not_requester: true }
participants:
  ann: { subject: ann@example.com, spaces: { main: ["*"] } }
  bob: { spaces: { main: ["*"] } }
`);
    await using executor = await connectPeer(gateway.ws, 'tools');
    await executor.next(({ kind }) => kind === 'system.welcome');
    const payload = { participant: 'puppet', capabilities: ['mcp.request.*', 'mcp.proposal.*'] };
    const token = tokenIn(await post(gateway.http, 'ann', invite('i1', payload)));
    await post(gateway.http, 'bob', proposal('p1'));
    await post(gateway.http, 'ann', fulfilment('f1', 'p1'));
    const again = await post(gateway.http, token, fulfilment('f2', 'p1'));
    expect(again).toMatchObject({ code: 'not_approver' });
    await post(gateway.http, token, proposal('p2'));
    const own = await post(gateway.http, 'ann', fulfilment('f3', 'p2'));
    expect(own).toMatchObject({ code: 'requester_excluded' });
    expect(await post(gateway.http, 'bob', fulfilment('f4', 'p2'))).toMatchObject({ status: 200 });
  });

  it('O-51: are refused where they give more than the inviter has, or a name that somebody has', async () => {
    await using gateway = await startTestGateway(`
dev: true
participants:
  host: { spaces: { main: [chat.message, mcpx.invite.participant, mcpx.kick.participant] } }
  boss: { spaces: { main: ["*"] } }
`);
    const tried = async (payload: JsonObject) =>
      (await post(gateway.http, 'host', invite('i1', payload))).code;
    expect(await tried({ capabilities: ['mcp.request.*'] })).toBe('not_grantable');
    expect(await tried({ capabilities: ['mcpx.invite.participant'] })).toBe('not_grantable');
    expect(await tried({ capabilities: ['mcpx.approve.proposal'] })).toBe('not_grantable');
    expect(await tried({ participant: 'boss' })).toBe('already_exists');
    expect(await tried({ participant: 'bоss' })).toBe('not_invitable');
    expect(await tried({ participant: '../boss' })).toBe('invalid_field');
    expect(await tried({ until: 1 })).toBe('invalid_field');
    expect((await post(gateway.http, 'host', kick('k1', 'boss'))).code).toBe('not_kickable');
    expect((await post(gateway.http, 'host', kick('k1', 'host'))).code).toBe('invalid_field');
    expect((await post(gateway.http, 'agent', invite('i1'))).code).toBe('capability_violation');
    // To propose has no effect until somebody decides who may.
    const token = tokenIn(
      await post(gateway.http, 'host', invite('i2', { capabilities: ['mcp.proposal.*'] })),
    );
    expect(await post(gateway.http, token, proposal('p1'))).toMatchObject({ status: 200 });
  });

  it('O-51, I-4: end with their time, and with the rights of the inviter', async () => {
    let now = Date.parse('2030-01-01T00:00:00Z');
    const host = createToken();
    const config = (...rights: readonly string[]) =>
      `participants: { host: { tokens: ["${host.hash}"], spaces: { main: [${[...rights, 'mcpx.invite.participant'].join()}] } } }`;
    await using gateway = await startTestGateway(config('chat.message'), createMemoryJournal(), () => now);
    const reload = (yaml: string): void => gateway.gateway.reload(loopbackConfig(yaml));
    const token = tokenIn(await post(gateway.http, host.token, invite('i1', { ttl: HOUR })));
    expect(await post(gateway.http, token, chat('c1'))).toMatchObject({ status: 200 });
    now += HOUR;
    expect(await post(gateway.http, token, chat('c2'))).toMatchObject({ status: 401 });
    const next = tokenIn(await post(gateway.http, host.token, invite('i2')));
    await using guest = await connectPeer(gateway.ws, next);
    await guest.say(chat('c3'));
    reload(config());
    expect(await post(gateway.http, next, chat('c4'))).toMatchObject({ code: 'capability_violation' });
    reload(
      `participants: { other: { tokens: ["${createToken().hash}"], spaces: { main: [chat.message] } } }`,
    );
    expect(await guest.closed).toBe(4401);
    expect(await post(gateway.http, next, chat('c5'))).toMatchObject({ status: 401 });
  });

  it('O-22, O-51, O-52: stay valid after restarts, from the journal and from a snapshot; so does a kick', async () => {
    await using folder = await temporaryFolder();
    const start = async () => startTestGateway('dev: true', await openJournal(folder.path));
    let token: string;
    {
      await using gateway = await start();
      token = tokenIn(await post(gateway.http, 'reviewer', invite('i1')));
      await post(gateway.http, 'agent', chat('c1'));
      await post(gateway.http, 'reviewer', kick('k1', 'agent'));
    }
    for (const id of ['c2', 'c3']) {
      await using gateway = await start();
      expect(await post(gateway.http, token, chat(id))).toMatchObject({ status: 200 });
      expect(await post(gateway.http, 'agent', chat(id))).toMatchObject({ code: 'kicked' });
    }
    {
      await using gateway = await start();
      await post(gateway.http, 'reviewer', kick('k2'));
    }
    await using gateway = await start();
    expect(await post(gateway.http, token, chat('c4'))).toMatchObject({ status: 401 });
  });

  it('O-52: a kick takes away what was granted, and what the kicked participant let others do', async () => {
    await using gateway = await startTestGateway(
      'dev: true\nparticipants: { host: { spaces: { main: ["*"] } } }',
    );
    const grant = (id: string, to: string) => ({
      id,
      kind: 'mcpx.grant.capability',
      payload: { to, capabilities: ['mcp.request.*'], ttl: HOUR },
    });
    const request = (id: string) => ({ id, kind: 'mcp.request.tools/call', to: ['tools'], payload: call() });
    const guest = tokenIn(await post(gateway.http, 'host', invite('i1')));
    await post(gateway.http, 'host', grant('g1', 'agent'));
    await post(gateway.http, 'reviewer', grant('g2', 'bob'));
    for (const [id, who] of [
      ['m1', 'agent'],
      ['m2', 'bob'],
    ] as const)
      expect(await post(gateway.http, who, request(id))).toMatchObject({ status: 200 });
    for (const who of ['host', 'bob']) await post(gateway.http, 'reviewer', kick(`k-${who}`, who));
    expect(await post(gateway.http, 'agent', request('m3'))).toMatchObject({ code: 'capability_violation' });
    expect(await post(gateway.http, guest, chat('c1'))).toMatchObject({ status: 401 });
    await post(gateway.http, 'reviewer', invite('i2', { participant: 'bob' }));
    expect(await post(gateway.http, 'bob', request('m4'))).toMatchObject({ code: 'capability_violation' });
  });
});

describe('invitations of a mew client', () => {
  const send = (http: string, message: JsonObject, token = 'reviewer') =>
    ask(`${http}/participants/${token}/messages`, token, { method: 'POST', body: JSON.stringify(message) });

  it('O-7, O-51, O-52: have its kinds and fields, and so have their answers', async () => {
    await using gateway = await startTestGateway();
    const join = { type: 'join', space: 'main', token: 'reviewer', participantId: 'reviewer' };
    await using admin = await joinAs(rootOf(gateway.http), join);
    await using observer = await joinAs(rootOf(gateway.http), {
      ...join,
      token: 'agent',
      participantId: 'agent',
    });
    await observer.next(ofKind('system/welcome'));
    const payload = { participant_id: 'new', initial_capabilities: [{ kind: 'chat' }], reason: 'to help' };
    const created = await send(gateway.http, { id: 'i1', kind: 'space/invite', payload });
    const token = textOf(created.body['token']);
    expect(created).toMatchObject({ status: 200, body: { status: 'created', participant_id: 'new' } });
    expect(await admin.next(ofKind('space/invite-ack'))).toMatchObject({
      correlation_id: ['i1'],
      payload: { status: 'created', participant_id: 'new', token },
    });
    expect(await observer.next(ofKind('space/invite'))).toMatchObject({ payload });
    expect(observer.heard.filter(ofKind('space/invite-ack'))).toEqual([]);
    expect(await send(gateway.http, { kind: 'space/invite', payload })).toMatchObject({
      status: 409,
      code: 'already_exists',
    });
    for (const participant_id of ['../x', 'a/b'])
      expect(
        (await send(gateway.http, { kind: 'space/invite', payload: { ...payload, participant_id } })).body,
      ).toMatchObject({ detail: expect.stringContaining('invalid characters') });
    expect(await send(gateway.http, { kind: 'space/invite' })).toMatchObject({ status: 400 });
    const forged = { kind: 'space/invite-ack', payload: { token: 'x' } };
    expect(await send(gateway.http, forged)).toMatchObject({ code: 'reserved_kind' });
    await using invited = await joinAs(rootOf(gateway.http), {
      ...join,
      token,
      participantId: 'new',
    });
    await invited.next(ofKind('system/welcome'));
    admin.send({ id: 'reviewer-1', kind: 'space/kick', payload: { participant_id: 'new', reason: 'done' } });
    expect(await invited.next(ofKind('space/kick'))).toMatchObject({
      payload: { participant_id: 'new', reason: 'done' },
    });
    expect(await invited.closed).toEqual({ code: 4403, reason: 'kicked' });
  });
});
