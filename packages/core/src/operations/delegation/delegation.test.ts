import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../json/canonical.js';
import { deliveredEnvelope, reaches } from '../routing/delivery.js';
import { seesProposal } from '../routing/visibility.js';
import { emptySpace, evolveSpace } from '../space/space.js';
import { viewSpace } from '../space/space-view.js';
import { entry, reviewed } from '../testing/reviewed.js';
import { approve, delegate, message, propose, reject, type Sealed, type World } from '../testing/world.js';

const WRITES = entry({ from: ['ann', 'bob'] });
const approved = (world: World, id: string, from: string, proposal = 'p1') =>
  world.send(approve(id, proposal, { from }));

describe('O-34: delegating a review', () => {
  it('O-34: the delegate counts for the approver, once, and the record names both', () => {
    const world = reviewed([WRITES]);
    expect(approved(world, 'a1', 'cleo').refused?.code).toBe('not_approver');
    expect(world.types(world.send(delegate('d1', 'ann', 'cleo')))).toEqual(['delegated']);
    expect(world.types(approved(world, 'a2', 'cleo'))).toEqual(['approved']);
    const record = world.records.at(-1) as Sealed;
    expect(record).toMatchObject({
      principal: 'cleo',
      facts: { onBehalfOf: { by: 'ann' }, missing: ['bob'] },
    });
    expect(deliveredEnvelope(record).payload).toMatchObject({ onBehalfOf: 'ann', given: 1, needed: 2 });
    expect(approved(world, 'a3', 'cleo').refused?.code).toBe('already_approved');
    expect(approved(world, 'a4', 'ann').refused).toMatchObject({
      code: 'already_approved',
      details: { by: 'cleo' },
    });
    expect(world.types(approved(world, 'a5', 'bob'))).toEqual(['approved', 'fulfilled']);
  });

  it("O-34: an approver who also has someone else's part is one approval", () => {
    const world = reviewed([WRITES]);
    world.send(delegate('d1', 'ann', 'bob'));
    expect(world.types(approved(world, 'a1', 'bob'))).toEqual(['approved']);
    expect(approved(world, 'a2', 'bob').refused?.code).toBe('already_approved');
    expect(world.proposal('p1').approvals).toMatchObject([{ by: 'bob', given: 1 }]);
  });

  it('O-34: it expires, and can be taken back at any time', () => {
    const world = reviewed([WRITES]);
    world.send(delegate('d1', 'ann', 'cleo', { until: new Date(world.now + 1_000).toISOString() }));
    world.now += 1_000;
    expect(approved(world, 'a1', 'cleo').refused?.code).toBe('not_approver');
    world.send(delegate('d2', 'ann', 'cleo'));
    world.send(delegate('d3', 'ann', undefined));
    expect(approved(world, 'a2', 'cleo').refused?.code).toBe('not_approver');
    expect(world.send(delegate('d4', 'ann', 'cleo', { until: world.now })).refused?.code).toBe(
      'invalid_field',
    );
  });

  it('O-34: with a correlation id it covers one proposal', () => {
    const world = reviewed([WRITES]);
    world.send(propose('p2'));
    expect(world.types(world.send(delegate('d1', 'ann', 'cleo', { proposal: 'p1' })))).toEqual([
      'review_delegated',
    ]);
    expect(approved(world, 'a2', 'cleo', 'p2').refused?.code).toBe('not_approver');
    expect(world.types(approved(world, 'a1', 'cleo'))).toEqual(['approved']);
    world.send(propose('p3'));
    world.send(delegate('d3', 'ann', 'cleo', { proposal: 'p3' }));
    world.send(delegate('d4', 'ann', undefined, { proposal: 'p3' }));
    expect(approved(world, 'a3', 'cleo', 'p3').refused?.code).toBe('not_approver');
  });

  it('O-34: the delegate needs the capabilities itself, and so does the approver', () => {
    const world = reviewed([WRITES]);
    world.send(delegate('d1', 'ann', 'cleo'));
    world.capabilities.set('cleo', ['mcpx.approve.proposal']);
    expect(approved(world, 'a1', 'cleo').refused?.code).toBe('capability_violation');
    world.capabilities.set('cleo', ['*']);
    world.capabilities.set('ann', ['mcpx.delegate.review']);
    expect(approved(world, 'a2', 'cleo').refused?.code).toBe('not_approver');
  });

  it('O-34, O-30: the proposer can neither be the delegate nor have a part to delegate', () => {
    const world = reviewed([entry({ from: ['ann', 'bob', 'agent'] })]);
    expect(world.send(delegate('d1', 'ann', 'agent', { proposal: 'p1' })).refused?.code).toBe(
      'invalid_delegate',
    );
    expect(world.send(delegate('d2', 'ann', 'ann')).refused?.code).toBe('invalid_delegate');
    world.capabilities.set('agent', ['*']);
    world.send(delegate('d3', 'ann', 'agent'));
    expect(approved(world, 'a1', 'agent').refused?.code).toBe('self_fulfilment');
    world.send(delegate('d4', 'agent', 'cleo'));
    expect(approved(world, 'a2', 'cleo').refused?.code).toBe('not_approver');
  });

  it('O-34: it does not chain', () => {
    const world = reviewed([WRITES]);
    world.send(delegate('d1', 'ann', 'cleo'));
    world.send(delegate('d2', 'cleo', 'reviewer'));
    expect(approved(world, 'a1', 'reviewer').refused?.code).toBe('not_approver');
    expect(world.send(delegate('d3', 'cleo', 'reviewer', { proposal: 'p1' })).refused?.code).toBe(
      'not_approver',
    );
  });

  it('O-34: the part of a participant removed from the configuration is void', () => {
    const world = reviewed([WRITES]);
    world.send(delegate('d1', 'ann', 'cleo'));
    world.people.set('bob', { isConfigured: true });
    world.send(delegate('d2', 'bob', 'cleo'));
    world.capabilities.delete('bob');
    expect(world.types(approved(world, 'a1', 'cleo'))).toEqual(['approved']);
    expect(world.proposal('p1').approvals).toMatchObject([{ onBehalfOf: { by: 'ann' } }]);
    world.send(propose('p2'));
    world.send(delegate('d3', 'ann', undefined));
    expect(approved(world, 'a2', 'cleo', 'p2').refused?.code).toBe('not_approver');
  });

  it('O-34: a part by role lasts as long as the approver has the role', () => {
    const world = reviewed([entry({ from: ['role:finance'] })]);
    world.people.set('ann', { roles: ['finance'] });
    world.people.set('bob', { roles: ['finance'] });
    for (const [id, by] of [
      ['d1', 'ann'],
      ['d2', 'bob'],
    ] as const)
      world.send(delegate(id, by, 'cleo'));
    world.people.set('ann', { roles: [] });
    expect(world.types(approved(world, 'a1', 'cleo'))).toEqual(['approved']);
    expect(world.proposal('p1').approvals).toMatchObject([{ onBehalfOf: { by: 'bob', roles: ['finance'] } }]);
  });

  it('O-34, O-30: two tokens of one person are one part', () => {
    const world = reviewed([entry({ from: ['ann', 'bob', 'reviewer'] })]);
    for (const name of ['ann', 'reviewer']) world.people.set(name, { subject: 'Ann' });
    approved(world, 'a1', 'reviewer');
    world.send(delegate('d1', 'ann', 'cleo'));
    expect(approved(world, 'a2', 'cleo').refused?.code).toBe('already_approved');
  });

  it('O-34, O-31: a delegate may also veto, and cannot approve for someone who rejected', () => {
    const world = reviewed([entry({ from: ['ann', 'bob'], veto: true })]);
    world.send(delegate('d1', 'ann', 'cleo'));
    expect(world.types(world.send(reject('r1', 'p1', 'cleo')))).toEqual(['rejected', 'declined']);
    const other = reviewed([entry({ from: ['ann', 'bob', 'reviewer'] })]);
    other.send(delegate('d1', 'ann', 'cleo'));
    other.send(reject('r1', 'p1', 'ann'));
    expect(approved(other, 'a1', 'cleo').refused?.code).toBe('not_approver');
  });

  it('O-34, O-29: the approver withdraws what was approved in its place', () => {
    const world = reviewed([entry({ from: ['ann', 'bob', 'reviewer'] })]);
    world.send(delegate('d1', 'ann', 'cleo'));
    approved(world, 'a1', 'cleo');
    world.send(reject('r1', 'p1', 'ann', 'busy'));
    expect(world.proposal('p1').approvals).toEqual([]);
  });

  it('O-34: the delegate is told, even if it follows only what concerns it; late ones are ignored', () => {
    const world = reviewed([WRITES]);
    world.send(delegate('d1', 'ann', 'cleo', { proposal: 'p1' }));
    const follows = { name: 'cleo', routing: 'directed', observer: false } as const;
    expect(reaches(world.records.at(-1) as Sealed, follows, world.space.settings)).toBe(true);
    for (const name of ['ann', 'bob']) approved(world, `a-${name}`, name);
    expect(world.send(delegate('d2', 'ann', 'cleo', { proposal: 'p1' })).unchanged).toBe('late');
    const unknown = message('ann', 'd3', 'mcpx.delegate.review', { revoke: true }, { correlationId: 'p9' });
    expect(world.send(unknown).refused?.code).toBe('unknown_proposal');
  });

  it('O-34, O-43: the delegate of a restricted proposal sees it, approves it, and sees what follows', () => {
    const world = reviewed([WRITES], { visibility: 'addressed' });
    world.send(propose('p2', {}, { to: ['ann', 'bob'] }));
    const cleo = { name: 'cleo', observer: false };
    const sees = (): boolean => seesProposal(world.proposal('p2'), cleo, world.space.settings);
    expect([sees(), approved(world, 'a1', 'cleo', 'p2').refused?.code]).toEqual([false, 'unknown_proposal']);
    world.send(delegate('d1', 'ann', 'cleo', { proposal: 'p2' }));
    expect(sees()).toBe(true);
    expect(world.types(approved(world, 'a2', 'cleo', 'p2'))).toEqual(['approved']);
    const follows = { ...cleo, routing: 'all' } as const;
    const told = world.records.filter((record) => reaches(record, follows, world.space.settings));
    expect(told.map(({ type }) => type).slice(-2)).toEqual(['review_delegated', 'approved']);
    world.send(delegate('d2', 'ann', undefined, { proposal: 'p2' }));
    expect(sees()).toBe(false);
  });

  it('O-34, I-3: replay gives the same state, in whatever order two gateways saw two delegations', () => {
    const world = reviewed([WRITES]);
    world.send(delegate('d1', 'bob', 'cleo'));
    world.send(delegate('d2', 'ann', 'cleo'));
    world.send(delegate('d3', 'ann', 'reviewer', { proposal: 'p1' }));
    approved(world, 'a1', 'cleo');
    const replayed = world.records.reduce(evolveSpace, emptySpace(world.space.settings));
    expect(canonicalJson(viewSpace(replayed))).toBe(canonicalJson(viewSpace(world.space)));
    const said = world.records.filter(({ type }) => type === 'delegated').toReversed();
    const reversed = said.reduce(evolveSpace, emptySpace(world.space.settings));
    expect(reversed.delegators.get('cleo')).toEqual(['ann', 'bob']);
  });
});
