import { describe, expect, it } from 'vitest';
import { operationDigest } from '../proposal/decide-propose.js';
import { decisionOn, readProposalView, viewProposal } from '../proposal/proposal-view.js';
import { deliveredEnvelope } from '../routing/delivery.js';
import { entry, reviewed } from '../testing/reviewed.js';
import {
  accept,
  announce,
  approve,
  counter,
  createWorld,
  fulfil,
  propose,
  reject,
  SAFER,
  type World,
  withdraw,
} from '../testing/world.js';
import { offersOf } from './counter.js';

const DIGEST = operationDigest('tools/call', SAFER);
const OTHER = { name: 'write_file', arguments: { path: '/tmp/c', text: 'hello' } };

function proposed(settings = {}): World {
  const world = createWorld(['agent', 'reviewer', 'ann', 'tools'], settings);
  world.capabilities.set('agent', ['mcp.proposal.*', 'mcpx.counter.proposal', 'mcpx.accept.counter']);
  world.capabilities.set('ann', ['*']);
  world.send(announce('n1', 'tools', ['write_file']));
  world.send(propose('p1'));
  return world;
}

const code = (decision: ReturnType<World['send']>) => decision.refused?.code;

describe('a counter-offer', () => {
  it('O-40: says what to change and why, and runs nothing', () => {
    const world = proposed();
    expect(world.types(world.send(counter('c1', 'p1')))).toEqual(['countered']);
    const proposal = world.proposal('p1');
    expect(proposal).toMatchObject({ phase: 'pending', approvals: [] });
    expect(proposal.counters).toMatchObject([
      {
        id: 'c1',
        by: 'reviewer',
        answers: 'p1',
        params: SAFER,
        digest: DIGEST,
        reason: 'not there',
        state: 'live',
      },
    ]);
    const sent = world.records.at(-1);
    expect(sent && deliveredEnvelope(sent)).toMatchObject({
      kind: 'mcpx.counter.proposal',
      payload: {
        proposal: 'p1',
        digest: DIGEST,
        params: SAFER,
        amendment: [{ path: '/arguments/path', before: '/tmp/a', after: '/tmp/b' }],
      },
    });
    expect(sent?.facts).toMatchObject({ audience: ['agent'] });
  });

  it("O-40: once accepted, runs once, with exactly its digest, in its author's name", () => {
    const world = proposed();
    world.send(counter('c1', 'p1'));
    const accepted = world.send(accept('a1', 'c1'));
    expect(world.types(accepted)).toEqual(['counter_accepted', 'fulfilled']);
    const proposal = world.proposal('p1');
    expect(proposal).toMatchObject({
      phase: 'fulfilled',
      counters: [{ state: 'accepted' }],
      approvals: [{ by: 'reviewer', digest: DIGEST }],
      fulfilment: { by: 'reviewer', executor: 'tools', digest: DIGEST, counter: 'c1' },
    });
    expect(decisionOn(proposal)).toMatchObject({ decision: 'fulfilled', by: 'reviewer', amended: true });
    const [acceptance, request] = world.records.slice(-2).map(deliveredEnvelope);
    expect(acceptance).toMatchObject({
      from: 'agent',
      kind: 'mcpx.accept.counter',
      correlationId: 'c1',
      payload: { proposal: 'p1', digest: DIGEST, author: 'reviewer' },
    });
    expect(request).toMatchObject({ from: 'reviewer', to: ['tools'], payload: { params: SAFER } });
    expect(world.send(accept('a1', 'c1')).unchanged).toBe('duplicate');
    expect(code(world.send(accept('a2', 'c1')))).toBe('proposal_not_pending');
    expect(code(world.send(fulfil('f1', 'p1')))).toBe('proposal_not_pending');
  });

  it('O-40: can only be accepted by the proposer, and not by its author', () => {
    const world = proposed();
    world.send(counter('c1', 'p1'));
    world.send(counter('c2', 'c1', { from: 'agent', params: OTHER }));
    expect(code(world.send(accept('a1', 'c1', 'ann')))).toBe('not_proposer');
    expect(code(world.send(accept('a2', 'c1', 'reviewer')))).toBe('not_proposer');
    expect(code(world.send(accept('a3', 'c2', 'agent')))).toBe('self_fulfilment');
    expect(code(world.send(accept('a4', 'nothing')))).toBe('unknown_counter');
    expect(code(world.send(accept('a5', 'p1')))).toBe('unknown_counter');
  });

  it("O-40: is replaced by its author's newer one, and withdrawn by their rejection", () => {
    const world = proposed();
    world.send(counter('c1', 'p1'));
    world.send(counter('c2', 'p1', { params: OTHER }));
    const cancelled = world.send(accept('a1', 'c1'));
    expect(cancelled.refused).toMatchObject({ code: 'counter_cancelled', details: { newer: 'c2' } });
    world.send(counter('c3', 'p1', { from: 'ann' }));
    world.send(reject('r1', 'p1'));
    expect(world.proposal('p1').counters.map(({ state }) => state)).toEqual([
      'withdrawn',
      'withdrawn',
      'live',
    ]);
    expect(world.send(accept('a2', 'c2')).refused).toMatchObject({
      code: 'counter_cancelled',
      details: { newer: undefined },
    });
    expect(world.types(world.send(accept('a3', 'c3')))).toContain('fulfilled');
  });

  it('O-30, O-40: can be withdrawn with another token of the same person', () => {
    const world = proposed();
    world.people.set('reviewer', { subject: 'rita' });
    world.people.set('ann', { subject: 'rita' });
    world.send(counter('c1', 'p1'));
    world.send(reject('r1', 'p1', 'ann'));
    expect(code(world.send(accept('a1', 'c1')))).toBe('counter_cancelled');
  });

  it('O-40: the proposer answers in turn, and reviewers approve that by its digest alone', () => {
    const world = proposed();
    world.send(counter('c1', 'p1'));
    expect(world.types(world.send(counter('c2', 'c1', { from: 'agent', params: OTHER })))).toEqual([
      'countered',
    ]);
    const digest = operationDigest('tools/call', OTHER);
    const approval = { ...approve('v1', 'p1'), payload: { digest } };
    expect(world.types(world.send(approval))).toEqual(['approved', 'fulfilled']);
    expect(world.proposal('p1').fulfilment).toMatchObject({ by: 'reviewer', digest });
    expect(world.records.at(-1)?.envelope.payload).toMatchObject({ params: OTHER });
  });

  it('O-40: cannot be approved by its digest once it is withdrawn', () => {
    const world = proposed();
    world.send(counter('c1', 'p1', { from: 'agent' }));
    world.send(counter('c2', 'p1', { from: 'agent', params: OTHER }));
    const approval = { ...approve('v1', 'p1'), payload: { digest: DIGEST } };
    expect(code(world.send(approval))).toBe('digest_mismatch');
  });

  it('O-40: the offers form a tree with the links of a negotiation', () => {
    const world = proposed();
    world.send(counter('c1', 'p1'));
    world.send(counter('c2', 'c1', { from: 'agent', params: OTHER }));
    world.send(counter('c3', 'p1', { from: 'ann' }));
    const offers = offersOf(world.proposal('p1'));
    expect(
      offers.map((offer) => [offer.proposalId, offer.supersedes, offer.supersededBy, offer.proposer]),
    ).toEqual([
      ['p1', undefined, 'c3', 'agent'],
      ['c1', 'p1', 'c2', 'reviewer'],
      ['c2', 'c1', undefined, 'agent'],
      ['c3', 'p1', undefined, 'ann'],
    ]);
    world.send(withdraw('w1', 'p1'));
    expect(offersOf(world.proposal('p1')).every(({ disposition }) => disposition === 'withdrawn')).toBe(true);
    expect(readProposalView(viewProposal(world.proposal('p1')))).toEqual(world.proposal('p1'));
  });
});

describe('making a counter-offer', () => {
  it('O-40: takes what approving those params takes, again when it is accepted', () => {
    const world = proposed();
    world.capabilities.set('reviewer', ['mcpx.*']);
    expect(code(world.send(counter('c1', 'p1')))).toBe('capability_violation');
    world.capabilities.set('reviewer', ['mcp.request.*']);
    world.send(counter('c2', 'p1'));
    world.capabilities.set('reviewer', ['mcpx.*']);
    expect(code(world.send(accept('a1', 'c2')))).toBe('not_approver');
    world.capabilities.delete('reviewer');
    expect(code(world.send(accept('a2', 'c2')))).toBe('author_absent');
    expect(world.proposal('p1').phase).toBe('pending');
  });

  it('O-40: the proposer offers only what it could propose', () => {
    const world = proposed();
    const outside = { name: 'write_file', arguments: { path: '/etc/passwd' } };
    world.capabilities.set('agent', ['mcp.proposal.tools/call:read_*']);
    expect(code(world.send(counter('c1', 'p1', { from: 'agent', params: outside })))).toBe(
      'capability_violation',
    );
  });

  it('O-11, O-40: requires the same tool, other params, a pending proposal, and at most eight in total', () => {
    const world = proposed();
    const tool = { name: 'delete_file', arguments: {} };
    expect(code(world.send(counter('c1', 'p1', { params: tool })))).toBe('kind_mismatch');
    const same = { name: 'write_file', arguments: { path: '/tmp/a', text: 'hello' } };
    expect(code(world.send(counter('c2', 'p1', { params: same })))).toBe('invalid_field');
    expect(code(world.send(counter('c3', 'nothing')))).toBe('unknown_proposal');
    for (let round = 1; round <= 8; round++) {
      const params = { name: 'write_file', arguments: { path: `/tmp/${round}` } };
      expect(world.types(world.send(counter(`d${round}`, 'p1', { params })))).toEqual(['countered']);
    }
    expect(world.send(counter('c4', 'p1')).refused).toMatchObject({
      code: 'too_many_counters',
      details: { limit: 8 },
    });
    world.send(withdraw('w1', 'p1'));
    expect(code(world.send(counter('c5', 'p1')))).toBe('proposal_not_pending');
  });

  it('O-40: can be disabled by the space', () => {
    expect(code(proposed({ counterRounds: 0 }).send(counter('c1', 'p1')))).toBe('too_many_counters');
  });

  it('O-20, O-40: is not possible for those who may not fulfil a reserved proposal', () => {
    const world = proposed();
    world.send(propose('p2', { targeting: { preferred: ['ann'], exclusive: true } }));
    expect(code(world.send(counter('c1', 'p2')))).toBe('reserved');
  });

  it('O-39, O-40: checks its arguments like those of an amendment', () => {
    const world = proposed();
    world.send({
      ...announce('n2', 'tools', []),
      payload: { tools: [{ name: 'write_file', inputSchema: {} }] },
    });
    world.checkArguments = () => ({ faults: [{ path: '/path', expected: 'a string', found: 'a number' }] });
    expect(code(world.send(counter('c1', 'p1')))).toBe('invalid_arguments');
  });

  it('O-3, O-40: takes its id for as long as it may be answered', () => {
    const world = proposed({ dedupWindow: 1000 });
    world.send(counter('c1', 'p1'));
    world.now += 10_000;
    expect(code(world.send(propose('c1')))).toBe('id_conflict');
    expect(world.types(world.send(accept('a1', 'c1')))).toContain('fulfilled');
  });

  it('O-40, O-43: reveals nothing to those who may not see the proposal', () => {
    const world = createWorld(['agent', 'reviewer', 'ann', 'tools'], { visibility: 'addressed' });
    world.capabilities.set('ann', ['*']);
    world.send(propose('p1', {}, { to: ['reviewer'] }));
    world.send(counter('c1', 'p1'));
    expect(world.records.at(-1)?.facts).toMatchObject({ seenBy: ['agent', 'reviewer'] });
    expect(code(world.send(accept('a1', 'c1', 'ann')))).toBe('unknown_counter');
    expect(code(world.send(counter('c2', 'c1', { from: 'ann' })))).toBe('unknown_proposal');
  });
});

describe('under a policy', () => {
  it("O-28, O-40: an accepted counter-offer counts as its author's approval, and others approve its digest", () => {
    const world = reviewed();
    world.send(counter('c1', 'p1', { from: 'ann' }));
    expect(world.types(world.send(accept('a1', 'c1')))).toEqual(['counter_accepted']);
    expect(world.proposal('p1')).toMatchObject({
      phase: 'pending',
      approvals: [{ by: 'ann', digest: DIGEST, given: 1, needed: 2, missing: ['bob', 'role:finance'] }],
    });
    expect(code(world.send(accept('a2', 'c1')))).toBe('already_approved');
    const byDigest = { ...approve('v1', 'p1', { from: 'bob' }), payload: { digest: DIGEST } };
    expect(world.types(world.send(byDigest))).toEqual(['approved', 'fulfilled']);
    expect(world.proposal('p1').fulfilment).toMatchObject({ by: 'bob', digest: DIGEST });
  });

  it('O-28, O-40: only those whose approval counts can make one', () => {
    const world = reviewed();
    expect(code(world.send(counter('c1', 'p1', { from: 'cleo' })))).toBe('not_approver');
    const once = reviewed([entry({ approvals: 1, from: ['ann'] })]);
    once.send(counter('c1', 'p1', { from: 'ann' }));
    expect(once.types(once.send(accept('a1', 'c1')))).toEqual(['counter_accepted', 'fulfilled']);
  });

  it("O-29, O-40: making one withdraws the author's approval of the original proposal", () => {
    const world = reviewed();
    world.send(approve('v1', 'p1', { from: 'ann' }));
    world.send(counter('c1', 'p1', { from: 'ann' }));
    expect(world.proposal('p1').approvals).toEqual([]);
    expect(world.types(world.send(approve('v2', 'p1', { from: 'bob' })))).toEqual(['approved']);
  });

  it('O-31, O-40: a rejection after the acceptance withdraws the approval', () => {
    const world = reviewed([entry({ from: ['ann', 'bob', 'cleo'] })]);
    world.send(counter('c1', 'p1', { from: 'ann' }));
    world.send(accept('a1', 'c1'));
    world.send(reject('r1', 'p1', 'ann'));
    expect(world.proposal('p1')).toMatchObject({ approvals: [], counters: [{ state: 'withdrawn' }] });
  });
});
