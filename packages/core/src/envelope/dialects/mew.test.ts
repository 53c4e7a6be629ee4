import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../json/json.js';
import { GATEWAY, PROTOCOL } from '../envelope.js';
import { encodeEnvelope } from '../read.js';
import { accepted, refused } from '../testing/reading.js';

const frame = { protocol: 'mew/v0.4', id: 'm-1', ts: '2026-01-31T12:00:00Z', from: 'agent' };

describe('mew, according to its specification', () => {
  it.each<[string, JsonObject, JsonObject]>([
    ['a control message without a payload', { kind: 'participant/resume' }, { payload: {} }],
    [
      'a rejection without a reason',
      { kind: 'mcp/reject', correlation_id: ['p'] },
      { payload: { reason: 'other' } },
    ],
    [
      'a notification',
      { kind: 'mcp/notification', payload: { method: 'notifications/progress', params: {} } },
      { kind: 'mcp.notification.notifications/progress' },
    ],
    [
      'an object as its context',
      { kind: 'chat', payload: { text: 'a' }, context: { topic: 'b' } },
      { context: '{"topic":"b"}' },
    ],
    [
      'a grant',
      {
        kind: 'capability/grant',
        to: ['coder'],
        payload: { recipient: 'coder', capabilities: [{ kind: 'mcp/request' }], reason: 'careful so far' },
      },
      {
        kind: 'mcpx.grant.capability',
        payload: { to: 'coder', capabilities: [{ kind: 'mcp/request' }], reason: 'careful so far' },
      },
    ],
    [
      'a revocation by the grant',
      { kind: 'capability/revoke', payload: { recipient: 'coder', grant_id: 'g-1' } },
      { kind: 'mcpx.revoke.capability', correlationId: 'g-1', payload: { to: 'coder' } },
    ],
    [
      'a revocation by what was granted',
      { kind: 'capability/revoke', payload: { recipient: 'coder', capabilities: [{ kind: 'mcp/request' }] } },
      { kind: 'mcpx.revoke.capability', payload: { to: 'coder' } },
    ],
    [
      'an invitation',
      {
        kind: 'space/invite',
        payload: { participant_id: 'bob', initial_capabilities: [{ kind: 'chat' }], reason: 'to help' },
      },
      {
        kind: 'mcpx.invite.participant',
        payload: { participant: 'bob', capabilities: [{ kind: 'chat' }], reason: 'to help' },
      },
    ],
    [
      'a removal',
      { kind: 'space/kick', payload: { participant_id: 'bob', reason: 'too loud' } },
      { kind: 'mcpx.kick.participant', payload: { participant: 'bob', reason: 'too loud' } },
    ],
    [
      'an error with a word for its code',
      {
        kind: 'mcp/response',
        correlation_id: ['q'],
        payload: { error: { code: 'E_BUSY', message: 'later' } },
      },
      { payload: { error: { code: 'E_BUSY', message: 'later' } } },
    ],
  ])('O-7: accepts %s', (_, own, canonical) => {
    const envelope = accepted({ ...frame, ...own });
    expect(envelope).toMatchObject(canonical);
    expect(encodeEnvelope(envelope, 'mew/v0.4')).toMatchObject(own);
  });

  it("O-5, O-41: reports errors in a grant with mew's field names", () => {
    const grant = { ...frame, kind: 'capability/grant', payload: { recipient: '', capabilities: [] } };
    expect(refused(grant).field).toBe('payload.recipient');
    expect(refused({ ...frame, kind: 'capability/revoke', payload: {} }).field).toBe('payload.grant_id');
  });

  it("O-5, O-51: reports errors in an invitation with mew's field names, and reserves the answer", () => {
    const invitation = { ...frame, kind: 'space/invite', payload: { participant_id: 'bob' } };
    expect(refused({ ...invitation, payload: {} }).field).toBe('payload.participant_id');
    const wrong = { participant_id: 'bob', initial_capabilities: 'chat' };
    expect(refused({ ...invitation, payload: wrong }).field).toBe('payload.initial_capabilities');
    for (const kind of ['space/invite-ack', 'space.invite-ack', 'system/invitation'])
      expect(refused({ ...invitation, kind }).field).toBe('kind');
  });

  it('O-5, O-52: a kick names the same participant in every spelling', () => {
    const payload = { participant_id: 'boss', participant: 'guest', initial_capabilities: [] };
    expect(said('mcpx.kick.participant', payload)).toMatchObject({ participant_id: 'guest' });
    expect(said('mcpx.invite.participant', payload)).toEqual({ participant_id: 'guest' });
    expect(accepted({ ...frame, kind: 'space/kick', payload }).payload).toMatchObject({
      participant: 'boss',
    });
  });

  const said = (kind: string, payload: JsonObject) =>
    encodeEnvelope({ protocol: PROTOCOL, id: 's', ts: frame.ts, from: GATEWAY, kind, payload }, 'mew/v0.4')[
      'payload'
    ];

  it.each<[JsonValue, readonly JsonObject[]]>([
    ['*', [{ kind: '**' }]],
    ['mcp.proposal.*', [{ kind: 'mcp/proposal' }]],
    ['mcp.response.*', [{ kind: 'mcp/response' }]],
    [
      { kind: 'mcp.request.tools/call', to: ['files'] },
      [{ kind: 'mcp/request', to: ['files'], payload: { method: 'tools/call' } }],
    ],
    [
      { kind: 'mcp/request', payload: { method: '!tools/call' } },
      [{ kind: 'mcp/request', payload: { method: '!tools/call' } }],
    ],
    ['mcp.request.tools/*', [{ kind: 'mcp/request', payload: { method: 'tools/*' } }]],
    [
      'mcp.request.tools/call:read_*',
      [{ kind: 'mcp/request', payload: { method: 'tools/call', params: { name: 'read_*' } } }],
    ],
    ['mcpx.withdraw.proposal', [{ kind: 'mcp/withdraw' }]],
    ['chat.message', [{ kind: 'chat' }]],
    ['mcp/*', [{ kind: 'mcp/*' }]],
    [
      { kind: 'mcp.request.tools/call', payload: { params: { name: 'a' } } },
      [{ kind: 'mcp/request', payload: { method: 'tools/call', params: { name: 'a' } } }],
    ],
    [{ kind: 'chat' }, [{ kind: 'chat' }]],
  ])('O-27: gets the capability %j as an object', (capability, objects) => {
    const member = { id: 'a', capabilities: [capability] };
    const spelled = { id: 'a', capabilities: objects };
    expect(said('system.welcome', { you: member, participants: [member] })).toEqual({
      you: spelled,
      participants: [spelled],
    });
    expect(said('system.presence', { event: 'join', participant: member })).toMatchObject({
      participant: spelled,
    });
  });

  it('O-9: gets the attempted kind in its own spelling', () => {
    const payload = { attempted_kind: 'mcp.request.tools/call', your_capabilities: ['chat.message'] };
    expect(said('system.error', { error: 'capability_violation', ...payload })).toEqual({
      error: 'capability_violation',
      attempted_kind: 'mcp/request',
      your_capabilities: [{ kind: 'chat' }],
    });
  });
});
