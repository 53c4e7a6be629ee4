import { describe, expect, it } from 'vitest';
import { deliveredEnvelope } from '../routing/delivery.js';
import {
  chat,
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
    expect(world.send(withdraw('w2', ['p1', 'p3']))).toEqual({ unchanged: 'late' });
  });

  it('O-15, O-3: the id of a batch is taken, too', () => {
    const world = createWorld();
    for (const id of ['p1', 'p2', 'p3']) world.send(propose(id));
    world.send(withdraw('w1', ['p1', 'p2']));
    expect(world.send(withdraw('w1', ['p1', 'p3'])).refused?.code).toBe('id_conflict');
    expect(world.send(withdraw('w1', 'p3')).refused?.code).toBe('id_conflict');
    expect(world.proposal('p3').phase).toBe('pending');
  });

  it("O-15: a batch with someone else's proposal is refused as a whole", () => {
    const world = createWorld();
    world.send(propose('p1'));
    world.send(propose('p2', {}, {}, 'reviewer'));
    expect(world.send(withdraw('w1', ['p1', 'p2'])).refused?.code).toBe('not_proposer');
    expect(world.proposal('p1').phase).toBe('pending');
  });

  it('O-15: a batch whose id leaves no room for its parts is refused', () => {
    const world = createWorld();
    world.send(propose('p1'));
    world.send(propose('p2'));
    const decision = world.send(withdraw('w'.repeat(124), ['p1', 'p2']));
    expect(decision.refused).toMatchObject({ code: 'invalid_field', details: { field: 'id' } });
  });
});

describe('O-35: one rejection of several proposals', () => {
  const several = (...correlationId: readonly string[]) => ({ ...reject('r1', ''), correlationId });

  it('O-35, O-3: rejects each proposal among them, once, even when repeated', () => {
    const world = createWorld();
    for (const id of ['p1', 'p2']) world.send(propose(id));
    world.send(chat('c1', 'agent', 'about these'));
    world.send(several('p1', 'c1', 'p2'));
    expect(world.records.slice(-2).map(({ envelope }) => [envelope.id, envelope.correlationId])).toEqual([
      ['r1#1', 'p1'],
      ['r1#3', 'p2'],
    ]);
    expect(world.send(several('p1', 'c1', 'p2')).unchanged).toBe('duplicate');
    expect(world.send(several('p1', 'p2')).refused?.code).toBe('id_conflict');
    expect(world.proposal('p2').rejections.size).toBe(1);
  });

  it('O-16: is refused if none of them is a proposal', () => {
    const world = createWorld();
    expect(world.send(several('c1', 'c2')).refused?.code).toBe('unknown_proposal');
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
