import { describe, expect, it } from 'vitest';
import type { CapabilitySource } from '../../capability/capability.js';
import type { JsonObject } from '../../json/json.js';
import { grantsInForce } from '../grants/grant.js';
import { viewPending } from '../proposal/pending-view.js';
import { delegationsInForce } from '../space/space.js';
import { entry, reviewed } from '../testing/reviewed.js';
import {
  accept,
  answer,
  approve,
  counter,
  delegate,
  fulfil,
  grant,
  message,
  propose,
  reject,
  type World,
} from '../testing/world.js';
import { invitationInForce } from './invitation.js';

const HOUR = 3_600_000;
const KICK = 'mcpx.kick.participant';

const invite = (id: string, participant: string, more: JsonObject = {}, from = 'reviewer') =>
  message(from, id, 'mcpx.invite.participant', { participant, capabilities: ['chat.message'], ...more });
const letIn = (id: string, participant: string) =>
  message('reviewer', id, 'mcpx.invite.participant', { participant });
const kick = (id: string, participant: string, from = 'reviewer') => message(from, id, KICK, { participant });

const code = (decision: ReturnType<World['send']>) => decision.refused?.code;

/** A space in which two of `ann`, `bob` and `cleo` approve what `agent` proposes; `other` only approves. */
function world(approvals = 2): World {
  const made = reviewed([entry({ approvals, from: ['ann', 'bob', 'cleo'] })]);
  for (const name of ['reviewer', 'ann', 'bob', 'agent']) made.people.set(name, { isConfigured: true });
  made.capabilities.set('other', ['mcp.request.*', 'mcpx.approve.proposal']);
  made.newToken = 'ab'.repeat(32);
  return made;
}

describe('a removed participant', () => {
  it('O-41, O-51, O-52: has ended what it granted and whom it invited, also when it is let in again', () => {
    const space = world();
    space.take(grant('g1', ['mcp.request.*'], { ttl: HOUR }, { from: 'ann' }));
    space.take(invite('i1', 'guest', {}, 'ann'));
    expect(grantsInForce(space.space, space.now)).toHaveLength(1);
    space.take(kick('k1', 'ann'));
    space.now++;
    expect(grantsInForce(space.space, space.now)).toEqual([]);
    space.take(letIn('i2', 'ann'));
    expect(grantsInForce(space.space, space.now)).toEqual([]);
    expect(invitationInForce(space.space, 'guest', space.now)).toBeUndefined();
    space.take(grant('g2', ['mcp.request.*'], { ttl: HOUR }, { from: 'ann' }));
    expect(grantsInForce(space.space, space.now)).toMatchObject([{ id: 'g2' }]);
  });

  it('O-34, O-52: has delegated nothing any more, neither all reviews nor one', () => {
    const space = world();
    space.send(delegate('d1', 'ann', 'other'));
    space.send(delegate('d2', 'bob', 'other', { proposal: 'p1' }));
    for (const name of ['ann', 'bob']) space.take(kick(`k-${name}`, name));
    expect(delegationsInForce(space.space, space.now)).toEqual([]);
    expect(code(space.take(approve('a1', 'p1', { from: 'other' })))).toBe('not_approver');
  });

  it('O-29, O-52: has not approved: what it approved needs another approval, and is shown without its own', () => {
    const space = world();
    expect(space.types(space.take(approve('a1', 'p1', { from: 'ann' })))).toEqual(['approved']);
    space.take(kick('k1', 'ann'));
    const presence = { isPresent: () => true };
    expect(viewPending(space.space, space.proposal('p1'), presence)['progress']).toMatchObject({ given: 0 });
    expect(space.types(space.take(approve('a2', 'p1', { from: 'bob' })))).toEqual(['approved']);
    space.now++;
    space.take(letIn('i1', 'ann'));
    expect(space.types(space.take(approve('a3', 'p1', { from: 'ann' })))).toEqual(['approved', 'fulfilled']);
  });

  it('O-37, O-40, O-52: lets nothing run any more, by a counter-offer or when its plan is due', () => {
    const space = world(1);
    space.capabilities.set('agent', ['mcp.proposal.*', 'mcpx.accept.counter']);
    space.take(counter('c1', 'p1', { from: 'ann' }));
    space.send(propose('q1', { depends_on: ['p1'] }));
    expect(space.types(space.take(approve('a1', 'q1', { from: 'ann' })))).toEqual(['approved']);
    space.take(kick('k1', 'ann'));
    expect(code(space.take(accept('a2', 'c1')))).toBe('not_approver');
    space.take(approve('a3', 'p1', { from: 'bob' }));
    space.send(answer('x1', space.proposal('p1').fulfilment?.request ?? ''));
    expect(space.proposal('q1').phase).toBe('declined');
  });

  it('O-52: may have proposed something and never said a word', () => {
    const space = world();
    space.send(propose('q1', {}, {}, 'stranger'));
    expect(space.types(space.take(kick('k1', 'stranger')))).toEqual(['kicked']);
  });

  it('O-52: comes back without a token where none can be made, as where any subject of an issuer is admitted', () => {
    const space = world();
    space.send(propose('q1', {}, {}, 'subject'));
    space.take(kick('k1', 'subject'));
    space.newToken = undefined;
    expect(code(space.take(invite('i1', 'nobody')))).toBe('unavailable');
    expect(space.types(space.take(letIn('i2', 'subject')))).toEqual(['invited']);
    expect(code(space.send(propose('q2', {}, {}, 'subject')))).toBeUndefined();
  });
});

it.each<CapabilitySource>([
  KICK,
  { kind: KICK, payload: { participant: 'agent' } },
  { kind: KICK, to: ['agent'] },
  '*',
])('O-52: somebody who may remove anybody is removed only with `*`: %j', (capability) => {
  const space = world();
  space.capabilities.set('ann', [capability]);
  space.capabilities.set('bob', ['mcpx.kick.*']);
  expect(code(space.take(kick('k1', 'ann', 'bob')))).toBe('not_kickable');
  expect(space.types(space.take(kick('k2', 'ann')))).toEqual(['kicked']);
});

describe('an invited participant', () => {
  it.each<CapabilitySource>(['*', { kind: '*' }])(
    'O-51: is not given everything, which would include to decide for others: %j',
    (everything) => {
      const space = world();
      expect(code(space.take(invite('i1', 'guest', { capabilities: [everything] })))).toBe('not_grantable');
    },
  );

  it('O-41, O-51: inherits no grant from those who had its name before', () => {
    const space = world();
    space.take(invite('i1', 'guest', { ttl: 1000 }));
    space.take(grant('g1', ['mcp.request.*'], { ttl: HOUR }, { to: 'guest' }));
    space.now += 1000;
    space.take(invite('i2', 'guest'));
    expect(grantsInForce(space.space, space.now)).toEqual([]);
  });

  it('O-29, O-51: approves nothing under a review policy, so that nobody approves in two names', () => {
    const space = reviewed([entry({ from: [] })]);
    space.capabilities.set('puppet', ['mcp.request.*', 'mcpx.approve.proposal']);
    space.people.set('puppet', { isInvited: true });
    space.take(approve('a1', 'p1'));
    for (const second of [approve('a2', 'p1', { from: 'puppet' }), fulfil('f1', 'p1', { from: 'puppet' })])
      expect(code(space.take(second))).toBe('not_approver');
    expect(space.proposal('p1')).toMatchObject({ phase: 'pending', approvals: [{ by: 'reviewer' }] });
    // Nor does it veto, or run the call without a proposal.
    space.configure({ review: [entry({ from: [], approvals: 1, veto: true })] });
    space.take(reject('r1', 'p1', 'puppet'));
    expect(space.proposal('p1').phase).toBe('pending');
    const request = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'write_file' } };
    const direct = message('puppet', 'f2', 'mcp.request.tools/call', request, { to: ['tools'] });
    expect(code(space.take(direct))).toBe('approval_required');
  });

  it('O-28, O-51: does not step into a part that an entry gives to a name that is nobody’s', () => {
    const agents = { from: ['puppet'], perHour: 10, within: {} };
    const space = reviewed([entry({ from: ['ann', 'puppet'], agents })]);
    space.capabilities.set('puppet', ['mcp.request.*', 'mcpx.approve.proposal']);
    space.people.set('puppet', { isInvited: true });
    space.take(approve('a1', 'p1', { from: 'ann' }));
    expect(code(space.take(approve('a2', 'p1', { from: 'puppet' })))).toBe('not_approver');
  });

  it('O-34, O-51: may stand in for an approver who delegates to it: that is one part, as ever', () => {
    const space = reviewed();
    space.capabilities.set('puppet', ['mcp.request.*', 'mcpx.approve.proposal']);
    space.people.set('puppet', { isInvited: true });
    space.take(delegate('d1', 'ann', 'puppet'));
    space.take(approve('a1', 'p1', { from: 'puppet' }));
    expect(space.proposal('p1').approvals).toMatchObject([{ by: 'puppet', onBehalfOf: { by: 'ann' } }]);
    space.take(approve('a2', 'p1', { from: 'ann' }));
    expect(space.proposal('p1').phase).toBe('pending');
  });

  it('O-51: has a name that looks like nobody else that was invited, or is there', () => {
    const space = world();
    space.take(invite('i1', 'coco'));
    for (const participant of ['Coco', 'c0co', 'сосо', 'toοls', 'tooIs'])
      expect(code(space.take(invite('i2', participant)))).toBe('not_invitable');
  });
});
