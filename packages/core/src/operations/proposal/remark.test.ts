import { describe, expect, it } from 'vitest';
import type { Envelope } from '../../envelope/envelope.js';
import { deliveredEnvelope } from '../routing/delivery.js';
import {
  answer,
  createWorld,
  fulfil,
  propose,
  reject,
  type Sealed,
  status,
  type World,
  withdraw,
} from '../testing/world.js';
import { isDecisiveRejection, rejectsProposal } from './rejection.js';

describe('O-15: only the proposer withdraws', () => {
  it('O-15: withdraws at once, and keeps the reason', () => {
    const world = createWorld();
    world.send(propose('p1'));
    world.send(withdraw('w1', 'p1'));
    expect(world.proposal('p1')).toMatchObject({
      phase: 'withdrawn',
      ending: { why: 'withdrawn', by: 'agent', reason: 'changed my mind' },
    });
  });

  it("O-15: anyone else is refused with the proposer's name", () => {
    const world = createWorld();
    world.send(propose('p1'));
    const decision = world.send(withdraw('w1', 'p1', 'reviewer'));
    expect(decision.refused).toMatchObject({ code: 'not_proposer', details: { proposer: 'agent' } });
    expect(world.proposal('p1').phase).toBe('pending');
  });

  it('O-15: a batch withdraws each, as one message per proposal', () => {
    const world = createWorld();
    for (const id of ['p1', 'p2', 'p3']) world.send(propose(id));
    world.send(fulfil('f2', 'p2'));
    const decision = world.send(withdraw('w1', ['p1', 'p2', 'p3']));
    expect(decision.appends?.map(({ stream }) => stream)).toEqual(['main/proposal/p1', 'main/proposal/p3']);
    expect(world.records.slice(-2).map(({ envelope }) => [envelope.id, envelope.correlationId])).toEqual([
      ['w1#1', 'p1'],
      ['w1#3', 'p3'],
    ]);
  });

  it('O-15, O-3: an interrupted batch continues when it is sent again', () => {
    const world = createWorld();
    world.send(propose('p1'));
    world.send(propose('p2'));
    world.send({ ...withdraw('w1#1', 'p1') });
    expect(world.types(world.send(withdraw('w1', ['p1', 'p2'])))).toEqual(['withdrawn']);
    expect(world.proposal('p2').phase).toBe('withdrawn');
    expect(world.send(withdraw('w1', ['p1', 'p2'])).unchanged).toBe('duplicate');
  });

  it('O-15, O-3: a repeated batch names every part that had an effect the first time', () => {
    const world = createWorld();
    for (const id of ['p1', 'p2', 'p3']) world.send(propose(id));
    world.send(fulfil('f2', 'p2'));
    world.send(withdraw('w1', ['p1', 'p2', 'p3']));
    expect(world.send(withdraw('w1', ['p1', 'p2', 'p3']))).toMatchObject({
      unchanged: 'duplicate',
      originals: [{ stream: 'main/proposal/p1' }, { stream: 'main/proposal/p3' }],
    });
    expect(world.send(withdraw('w2', ['p1', 'p3']))).toEqual({
      unchanged: 'late',
      parts: [
        { id: 'w2#1', proposal: 'p1', unchanged: 'late' },
        { id: 'w2#2', proposal: 'p3', unchanged: 'late' },
      ],
    });
  });

  it('O-15, O-3: the id of a batch is taken, too', () => {
    const world = createWorld();
    for (const id of ['p1', 'p2', 'p3']) world.send(propose(id));
    world.send(withdraw('w1', ['p1', 'p2']));
    expect(world.send(withdraw('w1', ['p1', 'p3'])).refused?.code).toBe('id_conflict');
    expect(world.send(withdraw('w1', 'p3')).refused?.code).toBe('id_conflict');
    expect(world.proposal('p3').phase).toBe('pending');
  });

  it('O-15: a batch whose id leaves no room for its parts is refused', () => {
    const world = createWorld();
    world.send(propose('p1'));
    world.send(propose('p2'));
    const decision = world.send(withdraw('w'.repeat(124), ['p1', 'p2']));
    expect(decision.refused).toMatchObject({ code: 'invalid_field', details: { field: 'id' } });
  });
});

describe('O-35: one message about several proposals', () => {
  const several = (message: Envelope, ...correlationId: readonly string[]): Envelope => ({
    ...message,
    correlationId,
  });
  const kinds = [
    ['withdrawal', withdraw('m1', ''), 'withdrawn'],
    ['rejection', reject('m1', ''), 'rejected'],
    ['status', status('m1', '', 'considering'), 'status_reported'],
  ] as const;

  it.each(kinds)('O-35, O-3: a %s has an outcome for each, also when repeated', (_, message, type) => {
    const world = createWorld();
    for (const id of ['p1', 'p2', 'late']) world.send(propose(id));
    // Not to be withdrawn by the agent, nor rejected by the reviewer.
    world.send(propose('foreign', {}, {}, 'reviewer'));
    world.send(withdraw('w', 'late'));
    const batch = several(message, 'unknown', 'p1', 'foreign', 'late', 'p2');
    const decision = world.send(batch);
    const isForeignRefused = type !== 'status_reported';
    const parts = [
      { id: 'm1#1', proposal: 'unknown', refused: { code: 'unknown_proposal' } },
      { id: 'm1#2', proposal: 'p1' },
      { id: 'm1#3', proposal: 'foreign', ...(isForeignRefused ? { refused: {} } : {}) },
      { id: 'm1#4', proposal: 'late', unchanged: 'late' },
      { id: 'm1#5', proposal: 'p2' },
    ];
    expect(decision.parts).toMatchObject(parts);
    const recorded = world.records.filter(({ envelope }) => envelope.id.startsWith('m1#'));
    const accepted = isForeignRefused ? ['p1', 'p2'] : ['p1', 'foreign', 'p2'];
    expect(recorded.map(({ envelope }) => envelope.correlationId)).toEqual(accepted);
    expect(new Set(recorded.map((record) => record.type))).toEqual(new Set([type]));
    const again = world.send(batch);
    expect(again.unchanged).toBe('duplicate');
    expect(again.parts?.map(({ unchanged }) => unchanged)).toEqual(
      ['unknown', 'p1', 'foreign', 'late', 'p2'].map((id) =>
        accepted.includes(id) ? 'duplicate' : id === 'late' ? 'late' : undefined,
      ),
    );
    expect(world.send(several(message, 'p1', 'p2')).refused?.code).toBe('id_conflict');
  });

  it.each(kinds)('O-35, O-16: a %s of which every part is refused is refused', (_, message) => {
    const world = createWorld();
    expect(world.send(several(message, 'c1', 'c2'))).toMatchObject({
      refused: { code: 'unknown_proposal' },
      parts: [
        { proposal: 'c1', refused: { details: { proposals: ['c1'] } } },
        { proposal: 'c2', refused: { details: { proposals: ['c2'] } } },
      ],
    });
    expect(world.records).toHaveLength(0);
  });

  it('O-35, O-19: what is overdue is recorded first, for all parts at once', () => {
    const world = createWorld();
    for (const id of ['p1', 'p2', 'p3']) world.send(propose(id, { ttl: 1_000 }));
    world.now += 1_000;
    const decision = world.send(several(withdraw('w1', ''), 'p1', 'p2', 'p3'));
    expect(decision.dueAppends?.map(({ stream }) => stream)).toEqual([
      'main/proposal/p1',
      'main/proposal/p2',
      'main/proposal/p3',
    ]);
  });
});

describe('O-16: late messages are silently ignored', () => {
  it.each([
    ['withdrawal', () => withdraw('m1', 'p1')],
    ['rejection', () => reject('m1', 'p1')],
    ['status', () => status('m1', 'p1', 'considering')],
  ])('O-16: a %s after the fulfilment has no effect and no error', (_, late) => {
    const world = createWorld();
    world.send(propose('p1'));
    world.send(fulfil('f1', 'p1'));
    const before = world.records.length;
    expect(world.send(late())).toEqual({ unchanged: 'late' });
    expect(world.records).toHaveLength(before);
  });

  it.each([
    ['withdrawal', () => withdraw('m1', 'nope')],
    ['rejection', () => reject('m1', 'nope')],
    ['status', () => status('m1', 'nope', 'considering')],
  ])('O-16: a %s of an unknown proposal is refused', (_, unknown) => {
    const { refused } = createWorld().send(unknown());
    expect(refused).toMatchObject({ code: 'unknown_proposal', details: { proposals: ['nope'] } });
  });
});

describe('O-42: that someone looked at hidden values', () => {
  it('O-42: is recorded at any time, and replaces no other status', () => {
    const world = createWorld();
    world.send(propose('p1'));
    world.send(status('s1', 'p1', 'queued'));
    expect(world.types(world.send(status('s2', 'p1', 'revealed')))).toEqual(['status_reported']);
    expect([...world.proposal('p1').statuses.values()]).toMatchObject([{ status: 'queued' }]);
    world.send(fulfil('f1', 'p1'));
    world.send(answer('a1', 'f1'));
    expect(world.types(world.send(status('s3', 'p1', 'revealed')))).toEqual(['status_reported']);
    expect(world.proposal('p1').phase).toBe('settled');
  });
});

describe('O-17: rejections', () => {
  it('O-17: anyone may reject, addressed or not; it is recorded beside the state', () => {
    const world = createWorld();
    world.send(propose('p1', {}, { to: ['tools'] }));
    world.send(reject('r1', 'p1', 'reviewer', 'not on a Friday'));
    expect(world.proposal('p1').phase).toBe('pending');
    expect(world.proposal('p1').rejections.get('reviewer')).toEqual({
      reason: 'not on a Friday',
      at: world.now,
      couldApprove: true,
    });
  });

  it('O-17: the proposer is told to withdraw instead', () => {
    const world = createWorld();
    world.send(propose('p1'));
    expect(world.send(reject('r1', 'p1', 'agent')).refused?.code).toBe('use_withdraw');
  });

  it('O-17: a rejecter may still change its mind and fulfil', () => {
    const world = createWorld();
    world.send(propose('p1', {}, { to: ['reviewer'] }));
    world.send(reject('r1', 'p1'));
    expect(world.types(world.send(fulfil('f1', 'p1')))).toEqual(['fulfilled']);
  });
});

describe('O-31: the effect of a rejection', () => {
  const rejection = (world: World) => world.records.find(({ type }) => type === 'rejected') as Sealed;

  it('O-31: is marked if its sender could have approved, in the record and in the delivered message', () => {
    const world = createWorld();
    world.send(propose('p1'));
    world.send(reject('r1', 'p1'));
    expect(rejection(world).facts).toMatchObject({ couldApprove: true });
    expect(deliveredEnvelope(rejection(world)).payload).toEqual({ reason: 'unsafe', couldApprove: true });
    expect(world.proposal('p1').rejections.get('reviewer')).toMatchObject({ couldApprove: true });
    expect(world.proposal('p1').phase).toBe('pending');
  });

  it.each([
    ['who lacks the capability', 'tools', []],
    ['whose capability is for another tool', 'reader', ['mcp.request.tools/call:read_*']],
  ])('O-31: of one %s is a remark, whatever it claims', (_, from, capabilities) => {
    const world = createWorld();
    world.capabilities.set(from, capabilities);
    world.send(propose('p1'));
    const plain = reject('r1', 'p1', from);
    world.send({ ...plain, payload: { ...plain.payload, couldApprove: true } });
    expect(rejection(world).facts).not.toHaveProperty('couldApprove');
    expect(deliveredEnvelope(rejection(world)).payload).toEqual({ reason: 'unsafe' });
  });

  it('O-31: of one whose capability has addressees is a no', () => {
    const world = createWorld();
    world.capabilities.set('reviewer', [{ kind: 'mcp.request.*', to: ['tools'] }]);
    world.send(propose('p1'));
    world.send(reject('r1', 'p1'));
    expect(rejection(world).facts).toHaveProperty('couldApprove', true);
  });

  it('O-31: of one outside the reservation is a remark', () => {
    const world = createWorld(['agent', 'reviewer', 'boss', 'tools']);
    world.send(propose('p1', { targeting: { preferred: ['boss'], exclusive: true } }));
    world.send(reject('r1', 'p1'));
    expect(rejection(world).facts).not.toHaveProperty('couldApprove');
  });

  it.each([
    ['unsafe', true],
    ['because', true],
    ['busy', false],
    ['incapable', false],
    ['timeout', false],
  ])('O-31: the reason %s is a no: %s', (reason, expected) => {
    expect(rejectsProposal({ reason })).toBe(expected);
    expect(isDecisiveRejection({ reason, couldApprove: true })).toBe(expected);
    expect(isDecisiveRejection({ reason })).toBe(false);
  });
});
