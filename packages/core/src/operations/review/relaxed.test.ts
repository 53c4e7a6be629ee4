import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../json/canonical.js';
import { describeStanding, PLAIN } from '../../words/index.js';
import { viewPending } from '../proposal/pending-view.js';
import { readProposalView } from '../proposal/proposal-view.js';
import { emptySpace, evolveSpace } from '../space/space.js';
import { viewSpace } from '../space/space-view.js';
import { entry, reviewed } from '../testing/reviewed.js';
import { approve, message, type World } from '../testing/world.js';
import type { ReviewEntry } from './policy.js';

/** A space in which `p1` needs three approvals, and ann and bob have given theirs. */
function withTwoOfThree(more: Partial<ReviewEntry> = {}): World {
  const world = reviewed([entry({ approvals: 3, ...more })]);
  world.people.set('cleo', { roles: ['finance'] });
  world.send(approve('a1', 'p1', { from: 'ann' }));
  world.send(approve('a2', 'p1', { from: 'bob' }));
  return world;
}

function standing(world: World): readonly string[] {
  const view = viewPending(world.space, world.proposal('p1'), { isPresent: () => true });
  return describeStanding(readProposalView(JSON.parse(JSON.stringify(view))), world.now, PLAIN);
}

describe('a policy that needs fewer approvals than before', () => {
  it('O-28: runs nothing by itself, and whoever looks is told what to do', () => {
    const world = withTwoOfThree();
    world.configure({ review: [entry({ approvals: 2 })] });
    expect(world.proposal('p1').phase).toBe('pending');
    expect(standing(world)).toEqual([
      '2 approvals. The policy now needs only 2: any approver can approve again to run this call (approved by ann and bob)',
    ]);
  });

  it.each(['ann', 'bob', 'cleo'])('O-28, O-12: %s approves (again), and it runs once', (from) => {
    const world = withTwoOfThree();
    world.configure({ review: [entry({ approvals: 2 })] });
    const records = world.send(approve('a3', 'p1', { from }));
    expect(world.types(records)).toEqual(['approved', 'fulfilled']);
    const given = from === 'cleo' ? 3 : 2;
    expect(records.appends?.at(-1)?.records.at(-1)).toMatchObject({ facts: { given, needed: 2 } });
    const by = world.proposal('p1').approvals.map((each) => each.by);
    expect(by.toSorted()).toEqual([...new Set(['ann', 'bob', from])]);
    expect(world.send(approve('a4', 'p1', { from: 'bob' })).refused?.code).toBe('proposal_not_pending');
    const again = world.records.reduce(evolveSpace, emptySpace(world.space.settings));
    expect(canonicalJson(viewSpace(again))).toBe(canonicalJson(viewSpace(world.space)));
  });

  it('O-28: nobody else can run it: neither a stranger nor the proposer', () => {
    const world = withTwoOfThree();
    world.configure({ review: [entry({ approvals: 2 })] });
    expect(world.send(approve('a3', 'p1', { from: 'reviewer' })).refused?.code).toBe('not_approver');
    expect(world.send(approve('a4', 'p1', { from: 'agent' })).refused?.code).toBe('capability_violation');
    expect(world.proposal('p1').phase).toBe('pending');
  });

  it('O-30: an approval still counts once while more are needed', () => {
    const world = withTwoOfThree();
    expect(world.send(approve('a3', 'p1', { from: 'ann' })).refused?.code).toBe('already_approved');
    world.configure({ review: [entry({ approvals: 2, from: ['ann', 'role:finance'] })] });
    // Bob is no longer asked, so his approval does not count.
    expect(world.send(approve('a4', 'p1', { from: 'ann' })).refused?.code).toBe('already_approved');
  });

  it('O-31: a veto still holds', () => {
    const world = withTwoOfThree();
    world.send(message('cleo', 'r1', 'mcpx.reject.proposal', { reason: 'unsafe' }, { correlationId: 'p1' }));
    world.configure({ review: [entry({ approvals: 2, veto: true })] });
    expect(world.send(approve('a3', 'p1', { from: 'ann' })).refused?.code).toBe('vetoed');
  });

  it('O-28: without a policy, one more approval runs it, and whoever looks is told so', () => {
    const world = withTwoOfThree();
    world.configure({ review: [] });
    expect(standing(world)).toEqual([
      'approved by ann and bob, and one approval is enough now: any approver can approve again to run this call',
    ]);
    world.send(approve('a3', 'p1', { from: 'ann' }));
    expect(world.proposal('p1').phase).toBe('fulfilled');
  });
});
