import { describe, expect, it } from 'vitest';
import { deliveredEnvelope } from '../routing/delivery.js';
import { entry, reviewed } from '../testing/reviewed.js';
import { approve, propose, reject, type Sealed, type World } from '../testing/world.js';

const last = (world: World) => deliveredEnvelope(world.records.at(-1) as Sealed);

describe('O-31: a rejection under a policy', () => {
  it('O-31: by someone with a veto ends it, and the notice says by whom and why', () => {
    const world = reviewed([entry({ veto: true })]);
    expect(world.types(world.send(reject('r1', 'p1', 'bob')))).toEqual(['rejected', 'declined']);
    expect(world.proposal('p1').phase).toBe('declined');
    expect(last(world).payload).toMatchObject({
      notice: 'declined',
      final: true,
      by: 'bob',
      reason: 'unsafe',
      why: 'veto',
    });
    expect(world.send(approve('a1', 'p1', { from: 'ann' })).refused?.code).toBe('proposal_not_pending');
  });

  it.each([
    ['somebody whose approval does not count', 'cleo', 'unsafe'],
    ['one who is busy', 'bob', 'busy'],
  ])('O-31: of %s does not', (_, from, reason) => {
    const world = reviewed([entry({ veto: true })]);
    world.send(reject('r1', 'p1', from, reason));
    expect(world.proposal('p1').phase).toBe('pending');
  });

  it('O-31: an approver who approves after rejecting still counts', () => {
    const world = reviewed([entry({ from: ['ann', 'bob', 'cleo'] })]);
    world.send(reject('r1', 'p1', 'ann'));
    world.send(approve('a1', 'p1', { from: 'ann' }));
    world.send(reject('r2', 'p1', 'cleo'));
    expect(world.proposal('p1').phase).toBe('pending');
    world.send(approve('a2', 'p1', { from: 'bob' }));
    expect(world.proposal('p1').phase).toBe('fulfilled');
  });

  it('O-31: a veto counts while the proposal is reserved for others', () => {
    const world = reviewed([entry({ approvals: 1, from: ['ann', 'bob'], veto: true })]);
    world.send(propose('p2', { targeting: { preferred: ['bob'], exclusive: true } }));
    world.send(reject('r1', 'p2', 'ann'));
    expect(world.proposal('p2').phase).toBe('declined');
  });

  it('O-31: it ends if too few are left to approve it', () => {
    const world = reviewed([entry({ from: ['ann', 'bob', 'cleo'] })]);
    world.send(reject('r1', 'p1', 'ann'));
    expect(world.proposal('p1').phase).toBe('pending');
    world.send(reject('r2', 'p1', 'bob'));
    expect(world.proposal('p1').phase).toBe('declined');
    expect(last(world).payload).toMatchObject({ why: 'impossible' });
  });
});
