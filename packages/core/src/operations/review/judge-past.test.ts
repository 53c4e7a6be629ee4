import { describe, expect, it } from 'vitest';
import type { Requester } from '../records.js';
import { announce, approve, createWorld, fulfil, propose, reject } from '../testing/world.js';
import { judgeByPolicy } from './judge-past.js';
import type { ReviewEntry } from './policy.js';

const ENTRY: ReviewEntry = {
  name: 'writes',
  call: 'mcp.request.tools/call:write_*',
  proposers: [],
  approvals: 2,
  from: ['ann', 'role:finance'],
  veto: true,
  escalate: [],
};

/** A space without a policy, or with this one. */
function past(review: readonly ReviewEntry[] = []) {
  const world = createWorld(['agent', 'ann', 'bob', 'reviewer', 'tools'], { review });
  for (const name of ['ann', 'bob', 'reviewer']) world.capabilities.set(name, ['*']);
  world.send(announce('n1', 'tools', ['write_file']));
  world.send(propose('p1'));
  return world;
}

const FINANCE: Requester = { roles: ['finance'] };
const judge = (world: ReturnType<typeof past>, entry: Partial<ReviewEntry> = {}, people = {}) =>
  judgeByPolicy(
    world.proposal('p1'),
    [{ ...ENTRY, ...entry }],
    (name) => (people as Record<string, Requester>)[name] ?? {},
  );

describe('O-28: applying a policy to the past', () => {
  it('O-28: one approval is too few if two are required, and enough if one is', () => {
    const world = past();
    world.send(fulfil('f1', 'p1', { from: 'ann' }));
    expect(judge(world)).toEqual({ verdict: 'unapproved', entry: 'writes', given: 1, needed: 2 });
    expect(judge(world, { approvals: 1 })).toEqual({ verdict: 'same', entry: 'writes' });
    expect(judge(world, { approvals: 1, from: ['bob'] })).toMatchObject({ given: 0, needed: 1 });
    expect(judge(world, { call: 'mcp.request.tools/call:read_*' })).toEqual({ verdict: 'uncovered' });
  });

  it('O-29, O-30: recorded approvals count, once per person', () => {
    const world = past([{ ...ENTRY, from: [] }]);
    world.send(approve('a1', 'p1', { from: 'ann' }));
    world.send(approve('a2', 'p1', { from: 'bob' }));
    expect(judge(world)).toMatchObject({ verdict: 'unapproved', given: 1 });
    expect(judge(world, {}, { bob: FINANCE })).toMatchObject({ verdict: 'same' });
    const one = { ann: { subject: 'x' }, bob: { ...FINANCE, subject: 'x' } };
    expect(judge(world, {}, one)).toMatchObject({ verdict: 'unapproved', given: 1 });
    const own = { agent: { subject: 'x' }, bob: { ...FINANCE, subject: 'x' } };
    expect(judge(world, {}, own)).toMatchObject({ verdict: 'unapproved', given: 1 });
  });

  it('O-31: a rejection would have ended it, if it counted and was a real no', () => {
    const world = past();
    world.send(reject('r1', 'p1', 'bob'));
    world.send(fulfil('f1', 'p1', { from: 'ann' }));
    const single = { approvals: 1 };
    expect(judge(world, single)).toMatchObject({ verdict: 'same' });
    expect(judge(world, single, { bob: FINANCE })).toEqual({ verdict: 'vetoed', entry: 'writes', by: 'bob' });
    expect(judge(world, { ...single, veto: false }, { bob: FINANCE })).toMatchObject({ verdict: 'same' });
  });

  it('O-13: an amended call gives no verdict', () => {
    const world = past();
    const params = { name: 'write_file', arguments: { path: '/tmp/b', text: 'hello' } };
    world.send(approve('a1', 'p1', { from: 'ann', params }));
    expect(judge(world)).toEqual({ verdict: 'unknown' });
  });
});
