import { describe, expect, it } from 'vitest';
import { parseCapability } from '../../capability/capability.js';
import { compileCapabilities } from '../../capability/compiled-capabilities.js';
import type { JsonObject } from '../../json/json.js';
import { decodeSpace, encodeSpace } from '../snapshot/index.js';
import { emptySpace, evolveSpace } from '../space/space.js';
import { viewSpace } from '../space/space-view.js';
import { chat, createWorld, grant, message, propose, type World } from '../testing/world.js';
import { invitationInForce, invitedCapabilities } from './invitation.js';

const DAY = 24 * 3_600_000;

const invite = (id: string, more: JsonObject = {}, from = 'host') =>
  message(from, id, 'mcpx.invite.participant', {
    participant: 'guest',
    capabilities: ['chat.message'],
    ...more,
  });
const kick = (id: string, participant = 'guest', from = 'host') =>
  message(from, id, 'mcpx.kick.participant', { participant, reason: 'too loud' });

function world(): World {
  const made = createWorld(['host', 'reviewer']);
  made.capabilities.set('host', ['chat.*', 'mcpx.invite.participant', 'mcpx.kick.participant']);
  made.people.set('host', { isConfigured: true });
  made.people.set('reviewer', { isConfigured: true });
  made.newToken = 'ab'.repeat(32);
  return made;
}

const code = (decision: ReturnType<World['send']>) => decision.refused?.code;
const inForce = ({ space, now }: World) => invitationInForce(space, 'guest', now);
const rights = (...sources: readonly string[]) => ({
  capabilities: compileCapabilities(
    sources.flatMap((source) => {
      const parsed = parseCapability(source);
      return parsed.ok ? [parsed.value] : [];
    }),
  ),
});

describe('an invitation', () => {
  it('O-51: is in force until its end, or until the participant or its inviter is removed', () => {
    const space = world();
    expect(space.types(space.take(invite('i1')))).toEqual(['invited']);
    const until = space.now + 7 * DAY;
    expect(inForce(space)).toMatchObject({ id: 'i1', inviter: 'host', token: space.newToken, until });
    expect(code(space.take(invite('i2')))).toBe('already_exists');
    space.now = until;
    expect(inForce(space)).toBeUndefined();
    expect(space.types(space.take(invite('i3', { ttl: DAY })))).toEqual(['invited']);
    space.take(kick('k1'));
    expect(inForce(space)).toBeUndefined();
    space.take(invite('i4'));
    space.take(kick('k2', 'host', 'reviewer'));
    expect(inForce(space)).toBeUndefined();
  });

  it('O-51: gives no more than its inviter has, then and later; and to propose, which has no effect by itself', () => {
    const space = world();
    for (const wanted of ['mcp.request.*', '*', 'mcpx.invite.participant', 'mcpx.grant.capability'])
      expect(code(space.take(invite('i1', { capabilities: [wanted] })))).toBe('not_grantable');
    const capabilities = ['chat.message', 'mcp.proposal.*'];
    space.take(invite('i1', { capabilities }));
    const invitation = inForce(space);
    if (invitation === undefined) throw new Error('There is no invitation.');
    expect(invitedCapabilities(invitation, rights('chat.*'))).toEqual(capabilities);
    expect(invitedCapabilities(invitation, rights('mcp.request.*'))).toEqual(['mcp.proposal.*']);
    // The configuration named the inviter then, and does not now.
    expect(invitedCapabilities(invitation, undefined)).toBeUndefined();
    expect(invitedCapabilities({ ...invitation, configured: undefined } as never, undefined)).toEqual(
      capabilities,
    );
  });

  it('O-51: is refused without capabilities, with a name that leads elsewhere, and for too long', () => {
    const space = world();
    const { capabilities: _none, ...bare } = invite('i1').payload;
    expect(code(space.take(message('host', 'i1', 'mcpx.invite.participant', bare)))).toBe('missing_field');
    for (const participant of ['../guest', 'a/b', 'a\\b'])
      expect(code(space.take(invite('i1', { participant })))).toBe('invalid_field');
    expect(code(space.take(invite('i1', { ttl: 366 * DAY })))).toBe('invalid_field');
    expect(code(space.take(invite('i1', { participant: 'host' })))).toBe('invalid_field');
    expect(code(space.take(invite('i1', { participant: 'reviewer' })))).toBe('already_exists');
    expect(code(space.take(invite('i1', {}, 'agent')))).toBe('capability_violation');
  });
});

describe('a kick', () => {
  it('O-52: keeps a participant out until it is invited again, whatever its credential', () => {
    const space = world();
    space.people.set('agent', { isConfigured: true });
    space.capabilities.set('agent', ['chat.message']);
    space.take(grant('g1', ['mcp.request.*'], { ttl: DAY }));
    expect(space.types(space.take(kick('k1', 'agent')))).toEqual(['kicked']);
    expect(space.take(chat('c1', 'agent', 'hello')).refused).toMatchObject({
      code: 'kicked',
      message: expect.stringContaining('host removed "agent" from main: too loud.'),
      details: { by: 'host', reason: 'too loud' },
    });
    // The configuration gives it its rights and tokens: no new ones are made.
    space.take(message('host', 'i1', 'mcpx.invite.participant', { participant: 'agent' }));
    expect(invitationInForce(space.space, 'agent', space.now)).toBeUndefined();
    expect(space.types(space.take(chat('c2', 'agent', 'hello')))).toEqual(['said']);
    expect(space.space.grants.size).toBe(0);
  });

  it('O-52: is refused for oneself, for strangers, and for those who may kick', () => {
    const space = world();
    expect(code(space.take(kick('k1', 'host')))).toBe('invalid_field');
    expect(code(space.take(kick('k1', 'nobody')))).toBe('participant_not_found');
    expect(code(space.take(kick('k1', 'reviewer')))).toBe('not_kickable');
    expect(space.types(space.take(kick('k1', 'host', 'reviewer')))).toEqual(['kicked']);
    expect(code(space.take(kick('k2', 'reviewer')))).toBe('kicked');
  });
});

it('I-3, O-51, O-52: replay and snapshots know who was invited and who was removed', () => {
  const space = world();
  space.take(invite('i1'));
  space.send(propose('p1'));
  space.send(chat('c1', 'agent', 'hello'));
  space.take(kick('k1', 'agent'));
  const replayed = space.records.reduce(evolveSpace, emptySpace(space.space.settings));
  expect(viewSpace(replayed)).toEqual(viewSpace(space.space));
  const decoder = decodeSpace(space.space.settings, () => false);
  for (const part of encodeSpace(space.space)) decoder.take(JSON.parse(JSON.stringify(part)));
  const decoded = decoder.end();
  expect(invitationInForce(decoded, 'guest', space.now)).toEqual(inForce(space));
  expect(decoded.participants.get('agent')?.kicked).toMatchObject({ by: 'host' });
});
