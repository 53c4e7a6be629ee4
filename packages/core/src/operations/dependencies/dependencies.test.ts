import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../json/canonical.js';
import { isOver, nextDeadline } from '../proposal/proposal.js';
import { decisionOn } from '../proposal/proposal-view.js';
import { hasAnswer } from '../proposal/rejection.js';
import { deliveredEnvelope } from '../routing/delivery.js';
import { proposalsNamedBy } from '../routing/route.js';
import { emptySpace, evictProposal, evolveSpace } from '../space/space.js';
import { viewSpace } from '../space/space-view.js';
import { entry, reviewed } from '../testing/reviewed.js';
import {
  announce,
  answer,
  approve,
  fulfil,
  message,
  propose,
  reject,
  type Sealed,
  type World,
  withdraw,
} from '../testing/world.js';

const after = (id: string, before: readonly string[], more = {}) =>
  propose(id, { depends_on: before, ...more });
const noticesOf = (world: World, id: string) =>
  world.records
    .filter(({ envelope }) => envelope.kind === 'system.notice' && envelope.correlationId === id)
    .map(({ envelope }) => envelope.payload);
/** Approves a proposal and answers what then runs. */
function run(world: World, id: string, payload = { result: {} }): void {
  world.send(approve(`a-${id}`, id));
  world.send(answer(`x-${id}`, world.proposal(id).fulfilment?.request ?? '', payload));
}

describe('O-37: a proposal with dependencies', () => {
  it('O-37: approved early is `approved`, and runs once when all its dependencies settled ok', () => {
    const world = reviewed([]);
    world.send(propose('p2'));
    world.send(after('p3', ['p1', 'p2']));
    expect(world.types(world.send(approve('a3', 'p3')))).toEqual(['approved']);
    expect(world.proposal('p3')).toMatchObject({ phase: 'approved', cleared: { by: 'reviewer' } });
    expect(deliveredEnvelope(world.records.at(-1) as Sealed)).toMatchObject({
      kind: 'mcpx.approve.proposal',
      payload: { waitsFor: ['p1', 'p2'] },
    });
    run(world, 'p1');
    expect(world.proposal('p3').phase).toBe('approved');
    run(world, 'p2');
    expect(world.proposal('p3')).toMatchObject({
      phase: 'fulfilled',
      fulfilment: { by: 'reviewer', executor: 'tools', amendment: [] },
    });
    const request = world.records.findLast(({ type }) => type === 'fulfilled');
    expect(request?.envelope).toMatchObject({
      id: expect.stringMatching(/^system:/),
      from: 'reviewer',
      correlationId: 'p3',
      to: ['tools'],
    });
    world.send(answer('x3', world.proposal('p3').fulfilment?.request ?? ''));
    expect(world.proposal('p3').phase).toBe('settled');
  });

  it('O-37: approved late runs at once; so does one with no open dependencies', () => {
    const world = reviewed([]);
    world.send(after('p2', ['p1']));
    run(world, 'p1');
    expect(noticesOf(world, 'p2')).toMatchObject([
      { notice: 'dependencies_met', dependencies: ['p1'], waitsFor: [] },
    ]);
    expect(world.types(world.send(approve('a2', 'p2')))).toEqual(['approved', 'fulfilled']);
    world.send(after('p3', ['p1']));
    expect(world.types(world.send(fulfil('f3', 'p3')))).toEqual(['fulfilled']);
  });

  it('O-37: can be approved by a request, which is never delivered as a request too early', () => {
    const world = reviewed([]);
    world.send(after('p2', ['p1']));
    const amended = { name: 'write_file', arguments: { path: '/tmp/b', text: 'x' } };
    expect(world.types(world.send(fulfil('f2', 'p2', { params: amended })))).toEqual(['approved']);
    expect(deliveredEnvelope(world.records.at(-1) as Sealed).kind).toBe('mcpx.approve.proposal');
    expect(world.send(approve('a3', 'p2', { from: 'ann' })).refused).toMatchObject({
      code: 'proposal_not_pending',
      details: { state: 'approved', by: 'reviewer' },
    });
    run(world, 'p1');
    const ran = world.records.findLast(({ type }) => type === 'fulfilled');
    expect(ran?.envelope.payload['params']).toEqual(amended);
    expect(world.proposal('p2').fulfilment?.amendment.length).toBeGreaterThan(0);
  });

  it('O-37, O-28: needs all approvals first under a policy, and the record says what it was based on', () => {
    const world = reviewed();
    world.send(after('p2', ['p1']));
    for (const id of ['p1', 'p2']) {
      world.send(approve(`a-${id}`, id, { from: 'ann' }));
      world.send(approve(`b-${id}`, id, { from: 'bob' }));
    }
    expect(world.proposal('p2').phase).toBe('approved');
    world.send(answer('x1', world.proposal('p1').fulfilment?.request ?? ''));
    expect(world.records.at(-1)).toMatchObject({
      type: 'fulfilled',
      principal: 'bob',
      facts: { proposal: 'p2', entry: 'writes', given: 2, needed: 2 },
    });
  });

  it('O-37: still expires, can be withdrawn and renewed, and a rejection comes too late', () => {
    const world = reviewed([]);
    world.send(after('p2', ['p1'], { ttl: 60_000 }));
    world.send(after('p3', ['p1']));
    for (const id of ['p2', 'p3']) world.send(approve(`a-${id}`, id));
    expect(nextDeadline(world.proposal('p2'))).toBe(world.now + 50_000);
    expect(hasAnswer(world.proposal('p2'))).toBe(false);
    expect(isOver(world.proposal('p2'))).toBe(false);
    expect(world.space.pending.get('agent')).toBe(3);
    expect(world.send(reject('r3', 'p3')).unchanged).toBe('late');
    expect(world.types(world.send(withdraw('w3', 'p3')))).toEqual(['withdrawn']);
    world.send(message('agent', 'n2', 'mcpx.renew.proposal', { ttl: 90_000 }, { correlationId: 'p2' }));
    world.now += 60_000;
    expect(world.types(world.review('p2'))).toEqual([]);
    world.now += 30_000;
    expect(world.types(world.review('p2'))).toEqual(['expired']);
  });
});

describe('O-37: a failed dependency', () => {
  it.each([
    ['error', (world: World) => run(world, 'p1', { error: { code: 1, message: 'no' } } as never)],
    ['withdrawn', (world: World) => void world.send(withdraw('w1', 'p1'))],
  ])('O-37: %s: declines its dependents, and theirs in turn', (outcome, end) => {
    const world = reviewed([]);
    world.send(after('p2', ['p1']));
    world.send(after('p3', ['p2']));
    world.send(after('p4', ['p3'], { on_failure: 'keep' }));
    world.send(approve('a2', 'p2'));
    end(world);
    expect(['p2', 'p3', 'p4'].map((id) => world.proposal(id).phase)).toEqual([
      'declined',
      'declined',
      'pending',
    ]);
    expect(noticesOf(world, 'p2')).toMatchObject([
      { notice: 'declined', final: true, why: 'dependency', dependency: 'p1', outcome },
    ]);
    expect(decisionOn(world.proposal('p3'))).toMatchObject({ decision: 'declined', why: 'dependency' });
  });

  it('O-37: that failed before the proposal was made declines it at once', () => {
    const world = reviewed([]);
    world.send(withdraw('w1', 'p1'));
    expect(world.types(world.send(after('p2', ['p1'])))).toEqual(['proposed', 'declined']);
  });

  it('O-37: with `keep`, leaves the proposal to be decided without it; an approval must be given again', () => {
    const world = reviewed([]);
    world.send(after('p2', ['p1'], { on_failure: 'keep' }));
    world.send(approve('a2', 'p2'));
    world.send(withdraw('w1', 'p1'));
    expect(world.proposal('p2')).toMatchObject({ phase: 'pending', approvals: [], cleared: undefined });
    expect(noticesOf(world, 'p2')).toMatchObject([
      { notice: 'dependency_failed', dependency: 'p1', outcome: 'withdrawn', reopened: true },
    ]);
    expect(world.types(world.send(approve('b2', 'p2')))).toEqual(['approved', 'fulfilled']);
  });

  it('O-37, O-23: an unknown outcome keeps the proposal waiting until it is known', () => {
    const world = reviewed([]);
    world.send(after('p2', ['p1']));
    world.send(approve('a2', 'p2'));
    world.send(approve('a1', 'p1'));
    const { request = '' } = world.proposal('p1').fulfilment ?? {};
    world.send(answer('x1', request, { error: { code: 1, message: '?', data: { outcome: 'unknown' } } }));
    expect(world.proposal('p2').phase).toBe('approved');
    world.send(answer('x2', request));
    expect(world.proposal('p2').phase).toBe('fulfilled');
  });
});

describe('O-37: checks before it runs', () => {
  function approvedEarly(): World {
    const world = reviewed([]);
    world.send(after('p2', ['p1']));
    world.send(approve('a2', 'p2', { from: 'ann' }));
    return world;
  }

  it('O-37, I-4: it is declined if its approver no longer may', () => {
    const world = approvedEarly();
    world.capabilities.set('ann', ['chat.message']);
    run(world, 'p1');
    expect(noticesOf(world, 'p2').at(-1)).toMatchObject({
      why: 'not_allowed_now',
      code: 'capability_violation',
    });
  });

  it('O-37, I-4: it runs for an approver whose capability has the executor as addressee', () => {
    const world = reviewed([]);
    world.capabilities.set('ann', [{ kind: 'mcp.request.*', to: ['tools'] }]);
    world.send(after('p2', ['p1']));
    world.send(approve('a2', 'p2', { from: 'ann', executor: 'tools' }));
    run(world, 'p1');
    expect(world.proposal('p2').phase).toBe('fulfilled');
  });

  it("O-37, I-4: it waits while the approver's current rights are unknown", () => {
    const world = approvedEarly();
    world.capabilities.delete('ann');
    run(world, 'p1');
    expect(world.proposal('p2').phase).toBe('approved');
    world.capabilities.set('ann', ['*']);
    expect(world.types(world.review('p2'))).toEqual(['fulfilled']);
  });

  it('O-37: an absent executor is awaited, and nobody else runs it', () => {
    const away = approvedEarly();
    away.send(approve('a1', 'p1'));
    away.send(announce('n2', 'other', ['write_file']));
    away.present.delete('tools');
    away.send(answer('x1', away.proposal('p1').fulfilment?.request ?? ''));
    expect(away.proposal('p2').phase).toBe('approved');
    expect([...(away.space.dependents.get('tools')?.keys() ?? [])]).toContain('p2');
    away.present.add('tools');
    expect(away.types(away.review('p2'))).toEqual(['fulfilled']);
    expect(away.proposal('p2').fulfilment?.executor).toBe('tools');
  });

  it("O-37, O-39: it is declined if the arguments no longer match the executor's schema", () => {
    const world = approvedEarly();
    world.checkArguments = (schema) => ({
      faults: schema['strict'] === true ? [{ path: '/arguments', expected: 'less', found: 'more' }] : [],
    });
    world.send(approve('a1', 'p1'));
    const tools = [{ name: 'write_file', inputSchema: { strict: true } }];
    world.send(message('tools', 'n2', 'mcpx.announce.tools', { tools }));
    world.send(answer('x1', world.proposal('p1').fulfilment?.request ?? ''));
    expect(noticesOf(world, 'p2').at(-1)).toMatchObject({ code: 'invalid_arguments' });
  });
});

describe('O-37: valid dependencies', () => {
  it.each([['nope'], ['p2']])('O-37: an unknown id and its own are refused (%s)', (id) => {
    const world = reviewed([]);
    expect(world.send(after('p2', ['p1', id])).refused).toMatchObject({
      code: 'unknown_dependency',
      details: { field: 'payload.depends_on', found: id },
    });
  });

  it('O-37, O-43: one that the proposer cannot see is refused with the same message', () => {
    const world = reviewed([entry()], { visibility: 'addressed' });
    world.send(propose('secret', {}, { to: ['bob'] }, 'cleo'));
    const hidden = world.send(after('p2', ['secret'])).refused;
    const unknown = world.send(after('p2', ['secrex'])).refused;
    expect(hidden?.message.replace('secret', 'secrex')).toBe(unknown?.message);
    expect(world.types(world.send(propose('p3', { depends_on: ['secret'] }, {}, 'bob')))).toEqual([
      'proposed',
    ]);
  });

  it('O-37: a host knows what must be in memory, and keeps what others wait for', () => {
    const world = reviewed([]);
    expect(proposalsNamedBy(world.space, after('p2', ['p1']))).toEqual(['p2', 'p1']);
    run(world, 'p1');
    world.send(propose('p2'));
    world.send(after('p3', ['p2']));
    expect(evictProposal(world.space, 'p1').proposals.has('p1')).toBe(false);
    world.present.delete('tools');
    world.send(approve('a3', 'p3'));
    world.present.add('tools');
    run(world, 'p2');
    expect(world.proposal('p3').dependencies?.waitsFor).toEqual([]);
  });

  it('O-37, I-3: replay gives the same state', () => {
    const world = reviewed([]);
    world.send(after('p2', ['p1'], { on_failure: 'keep' }));
    world.send(after('p3', ['p1']));
    for (const id of ['p2', 'p3']) world.send(approve(`a-${id}`, id));
    run(world, 'p1', { error: { code: 1, message: 'no' } } as never);
    const replayed = world.records.reduce(evolveSpace, emptySpace(world.space.settings));
    expect(canonicalJson(viewSpace(replayed))).toBe(canonicalJson(viewSpace(world.space)));
    expect(world.space.waiting.size).toBe(0);
  });
});
