import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../json/canonical.js';
import { describeStanding, PLAIN } from '../../words/index.js';
import { viewPending } from '../proposal/pending-view.js';
import type { Proposal } from '../proposal/proposal.js';
import { readProposalView } from '../proposal/proposal-view.js';
import { emptySpace, evolveSpace, type SpaceState } from '../space/space.js';
import { viewSpace } from '../space/space-view.js';
import { entry, reviewed } from '../testing/reviewed.js';
import { approve, fulfil, message, SAFER, type World } from '../testing/world.js';
import { approvalProgress } from './progress.js';

const takeBack = (id: string, from: string, proposal = 'p1') =>
  message(from, id, 'mcpx.approve.proposal', { revoke: true }, { correlationId: proposal });

/** A pending proposal as reviewers see it, under the policy of the space now. */
function seen(world: World, space: SpaceState = world.space): Proposal {
  const presence = { isPresent: () => true };
  return readProposalView(JSON.parse(JSON.stringify(viewPending(space, world.proposal('p1'), presence))));
}

const standing = (world: World): readonly string[] => describeStanding(seen(world), world.now, PLAIN);

describe('taking an approval back', () => {
  it('O-29: ends nothing, even under a veto, and others may go on', () => {
    const world = reviewed([entry({ veto: true })]);
    world.send(approve('a1', 'p1', { from: 'ann' }));
    expect(world.types(world.send(takeBack('t1', 'ann')))).toEqual(['approval_withdrawn']);
    expect(world.proposal('p1')).toMatchObject({ phase: 'pending', approvals: [], ending: undefined });
    expect(world.proposal('p1').rejections.size).toBe(0);
    world.send(approve('a2', 'p1', { from: 'bob' }));
    expect(world.proposal('p1').phase).toBe('pending');
    // It may be given again, and then completes the policy.
    world.send(approve('a3', 'p1', { from: 'ann' }));
    expect(world.proposal('p1').phase).toBe('fulfilled');
  });

  it('O-29: works while approvals are paused', () => {
    const world = reviewed();
    world.send(approve('a1', 'p1', { from: 'ann' }));
    world.send(message('reviewer', 's1', 'mcpx.pause.approvals', {}));
    expect(world.types(world.send(takeBack('t1', 'ann')))).toEqual(['approval_withdrawn']);
  });

  it('O-29, O-30: takes back what the same person gave with another token, and nobody else’s', () => {
    const world = reviewed();
    world.people.set('ann', { subject: 'ann@example' });
    world.people.set('cleo', { subject: 'ann@example' });
    world.send(approve('a1', 'p1', { from: 'ann' }));
    expect(world.send(takeBack('t1', 'bob')).refused?.code).toBe('not_approver');
    expect(world.proposal('p1').approvals).toHaveLength(1);
    world.send(takeBack('t2', 'cleo'));
    expect(world.proposal('p1').approvals).toHaveLength(0);
  });

  it('O-29, O-16: comes too late once the policy is met', () => {
    const world = reviewed([entry({ approvals: 1 })]);
    world.send(approve('a1', 'p1', { from: 'ann' }));
    expect(world.send(takeBack('t1', 'ann')).unchanged).toBe('late');
  });

  it('I-3: replays', () => {
    const world = reviewed();
    world.send(approve('a1', 'p1', { from: 'ann' }));
    world.send(takeBack('t1', 'ann'));
    const again = world.records.reduce(evolveSpace, emptySpace(world.space.settings));
    expect(canonicalJson(viewSpace(again))).toBe(canonicalJson(viewSpace(world.space)));
  });
});

describe('what the second reviewer is told', () => {
  it('O-29: that the first approved different arguments, and which', () => {
    const world = reviewed();
    world.send(fulfil('f1', 'p1', { from: 'ann', params: SAFER }));
    expect(world.proposal('p1').approvals).toMatchObject([{ by: 'ann', params: SAFER }]);
    expect(standing(world)).toContainEqual(
      expect.stringMatching(/^ann approved different arguments \(path: "/),
    );
  });

  it('O-34: who may decide for someone who delegated all reviews', () => {
    const world = reviewed();
    const until = world.now + 60_000;
    world.send(message('ann', 'd1', 'mcpx.delegate.review', { to: 'cleo', until }));
    expect(standing(world)).toContainEqual(expect.stringMatching(/^cleo may decide for ann until /));
  });

  it('O-28: what the policy requires now, not what it required then', () => {
    const world = reviewed();
    world.send(approve('a1', 'p1', { from: 'ann' }));
    const under = (review: ReturnType<typeof entry>[]) => {
      const space = { ...world.space, settings: { ...world.space.settings, review } };
      return approvalProgress(seen(world, space));
    };
    expect(under([entry()])).toEqual({ given: 1, needed: 2, missing: ['bob', 'role:finance'] });
    expect(under([entry({ approvals: 3 })])).toMatchObject({ given: 1, needed: 3 });
    expect(under([entry({ from: ['bob', 'cleo'] })])).toEqual({
      given: 0,
      needed: 2,
      missing: ['bob', 'cleo'],
    });
    expect(under([])).toBeUndefined();
  });
});
