import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../json/canonical.js';
import { emptySpace, evolveSpace } from '../space/space.js';
import { viewSpace } from '../space/space-view.js';
import { entry, reviewed } from '../testing/reviewed.js';
import { approve, fulfil, message, propose, reject, type World } from '../testing/world.js';

const HOUR = 3_600_000;
const LIMITS = { from: ['steward'], perHour: 2, within: { size: { max: 100 } } };

const sized = (size: unknown) => ({ name: 'write_file', arguments: { path: '/tmp/a', size } }) as never;

function withAgents(more = {}): World {
  const world = reviewed([entry({ from: ['ann', 'bob'], agents: LIMITS, ...more })]);
  world.capabilities.set('steward', ['*']);
  return world;
}

/** Proposes a call of this size, and has the steward approve it. */
function decide(world: World, id: string, size: unknown = 10) {
  world.send(propose(id, { params: sized(size) }));
  return world.send(approve(`s-${id}`, id, { from: 'steward', digest: world.proposal(id).digest }));
}

describe('O-28: approvals by agents alone', () => {
  it('O-28: within its limits an agent suffices, and that is counted before it runs', () => {
    const world = withAgents();
    const decision = decide(world, 'q1');
    expect(world.types(decision)).toEqual(['acted_alone', 'approved', 'fulfilled']);
    expect(decision.appends?.map(({ stream }) => stream)).toEqual([
      'main/participant/steward',
      'main/proposal/q1',
    ]);
    expect(decision).toMatchObject({ inOrder: true });
    expect(world.records.at(-1)?.facts).toMatchObject({ alone: true, entry: 'writes' });
  });

  it('O-28: are limited per hour and entry; beyond that people decide', () => {
    const world = withAgents();
    decide(world, 'q1');
    world.now += 1_000;
    decide(world, 'q2');
    expect(decide(world, 'q3').refused).toMatchObject({
      code: 'agent_limit',
      details: { why: 'per_hour', perHour: 2, again: 1_000_000 + HOUR },
    });
    world.now += HOUR - 1_000;
    expect(world.types(decide(world, 'q4'))).toEqual(['acted_alone', 'approved', 'fulfilled']);
    expect(decide(world, 'q5').refused?.code).toBe('agent_limit');
  });

  it.each([[101], ['10'], [null]])('O-28: only within the ranges (%j)', (size) => {
    expect(decide(withAgents(), 'q1', size).refused).toMatchObject({
      code: 'agent_limit',
      details: { why: 'range', argument: 'size' },
    });
  });

  it('O-28: a range may be a list of values, and about a nested argument', () => {
    const within = { 'order.currency': { oneOf: ['EUR', 'CHF'] } };
    const world = withAgents({ agents: { ...LIMITS, within } });
    const ordered = (currency: string) =>
      ({ name: 'write_file', arguments: { order: { currency } } }) as never;
    for (const [id, currency, code] of [
      ['q1', 'EUR', undefined],
      ['q2', 'USD', 'agent_limit'],
    ] as const) {
      world.send(propose(id, { params: ordered(currency) }));
      const { digest } = world.proposal(id);
      expect(world.send(approve(`s-${id}`, id, { from: 'steward', digest })).refused?.code).toBe(code);
    }
  });

  it('O-28: a dotted argument name does not stand for a nested one', () => {
    const within = { 'order.amount': { max: 100 } };
    const world = withAgents({ agents: { ...LIMITS, within } });
    const args = { 'order.amount': 1, order: { amount: 1_000_000 } };
    world.send(propose('q1', { params: { name: 'write_file', arguments: args } }));
    const { digest } = world.proposal('q1');
    expect(world.send(approve('s-q1', 'q1', { from: 'steward', digest })).refused).toMatchObject({
      code: 'agent_limit',
      details: { why: 'range', argument: 'order.amount', found: 1_000_000 },
    });
  });

  it('O-28: an amended call is judged by its own arguments', () => {
    const world = withAgents();
    world.send(propose('q1', { params: sized(10) }));
    const amended = approve('s1', 'q1', { from: 'steward', params: sized(500) });
    expect(world.send(amended).refused?.code).toBe('agent_limit');
  });

  it('O-28, O-31: once somebody whose approval counts has rejected, people decide', () => {
    const world = withAgents({ from: ['ann', 'bob', 'cleo'] });
    world.send(propose('q1', { params: sized(10) }));
    world.send(reject('r1', 'q1', 'ann'));
    const { digest } = world.proposal('q1');
    const late = world.send(approve('s1', 'q1', { from: 'steward', digest }));
    expect(late.refused).toMatchObject({ code: 'agent_limit', details: { why: 'rejected', by: 'ann' } });
  });

  it('O-28: beyond its limits it is one of several if the policy names it, and never enough', () => {
    const several = withAgents({ from: ['ann', 'steward'] });
    expect(several.types(decide(several, 'q1', 500))).toEqual(['approved']);
    const one = withAgents({ from: ['ann', 'steward'], approvals: 1 });
    expect(decide(one, 'q1', 500).refused?.code).toBe('agent_limit');
    const unasked = message('steward', 'u1', 'mcp.request.tools/call', {
      method: 'tools/call',
      params: sized(500),
    });
    expect(one.send(unasked).refused?.code).toBe('approval_required');
  });

  it('O-28, O-30: an agent does not approve its own proposal', () => {
    const world = withAgents();
    world.send(propose('q1', { params: sized(10) }, {}, 'steward'));
    const { digest } = world.proposal('q1');
    expect(world.send(approve('s1', 'q1', { from: 'steward', digest })).refused?.code).toBe(
      'self_fulfilment',
    );
  });

  it('O-28: a use that was counted but not spent is not counted again', () => {
    const world = withAgents();
    world.send(propose('q1', { params: sized(10) }));
    const { digest } = world.proposal('q1');
    const before = world.space;
    const first = world.send(approve('s1', 'q1', { from: 'steward', digest }));
    const [counted] = first.appends?.[0]?.records ?? [];
    if (counted === undefined) throw new Error('Nothing was counted.');
    // As after a conflict: the use is in the journal, the approval is not.
    const space = evolveSpace(before, counted);
    expect(space.participants.get('steward')?.alone).toHaveLength(1);
    world.send(propose('q2', { params: sized(10) }));
    expect(world.types(decide(world, 'q3'))).toContain('fulfilled');
    expect(world.space.participants.get('steward')?.alone).toHaveLength(2);
  });

  it('O-28, I-3: replay gives the same state', () => {
    const world = withAgents();
    decide(world, 'q1');
    world.send(fulfil('f1', 'p1', { from: 'ann' }));
    const replayed = world.records.reduce(evolveSpace, emptySpace(world.space.settings));
    expect(canonicalJson(viewSpace(replayed))).toBe(canonicalJson(viewSpace(world.space)));
  });
});

describe('O-30: the person an agent works for', () => {
  const asked = (more = {}) => {
    const world = reviewed([entry({ from: ['ann', 'bob', 'cleo'], notRequester: true, ...more })]);
    world.people.set('agent', { worksFor: 'Ann' });
    world.people.set('ann', { subject: 'Ann' });
    world.send(propose('q1'));
    return world;
  };

  it('O-30: is excluded if the entry says so, by name or subject', () => {
    const world = asked();
    expect(world.send(approve('a1', 'q1', { from: 'ann' })).refused?.code).toBe('requester_excluded');
    world.send(approve('a2', 'q1', { from: 'bob' }));
    expect(world.types(world.send(approve('a3', 'q1', { from: 'cleo' })))).toEqual(['approved', 'fulfilled']);
    const lax = asked({ notRequester: false });
    expect(lax.types(lax.send(approve('a1', 'q1', { from: 'ann' })))).toEqual(['approved']);
  });

  it('O-30, O-34: nor by a delegate', () => {
    const world = asked({ from: ['ann', 'bob'] });
    world.send(message('ann', 'd1', 'mcpx.delegate.review', { to: 'cleo', until: 2_000_000 }));
    expect(world.send(approve('a1', 'q1', { from: 'cleo' })).refused?.code).toBe('not_approver');
  });

  it('O-30: is reported by a guard; the claim of anyone else counts for nothing', () => {
    const world = reviewed([entry({ from: ['ann', 'bob'], notRequester: true })]);
    world.send(propose('q1', { origin: { user: 'ann' } }));
    expect(world.types(world.send(approve('a1', 'q1', { from: 'ann' })))).toEqual(['approved']);
    world.runsOwnCalls.add('agent');
    world.send(propose('q2', { origin: { user: 'ann' } }));
    expect(world.send(approve('a2', 'q2', { from: 'ann' })).refused?.code).toBe('requester_excluded');
  });
});
