import { describe, expect, it } from 'vitest';
import { nextDeadline } from '../proposal/proposal.js';
import { createWorld, fulfil, propose, withdraw } from '../testing/world.js';

describe('O-19: time to live', () => {
  it("O-19: ends a pending proposal exactly once, on the gateway's clock", () => {
    const world = createWorld();
    world.send(propose('p1', { ttl: 5_000 }, { ts: '1999-01-01T00:00:00Z' }));
    expect(nextDeadline(world.proposal('p1'))).toBe(world.now + 5_000);
    world.now += 4_999;
    expect(world.types(world.review('p1'))).toEqual([]);
    world.now += 1;
    expect(world.types(world.review('p1'))).toEqual(['expired']);
    expect(world.types(world.review('p1'))).toEqual([]);
    expect(world.records.at(-1)?.envelope).toMatchObject({
      kind: 'system.notice',
      correlationId: 'p1',
      payload: { notice: 'expired', proposal: 'p1' },
    });
  });

  it('O-19, I-5: a late message is answered when the end is recorded, and leaves no other trace', () => {
    const world = createWorld();
    world.send(propose('p1', { ttl: 5_000 }));
    world.now += 5_000;
    const dueAppends = [{ expectedVersion: 1, records: [{ type: 'expired' }] }];
    expect(world.send(fulfil('f1', 'p1'))).toMatchObject({
      refused: { code: 'proposal_not_pending' },
      dueAppends,
    });
    expect(world.send(withdraw('w1', 'p1'))).toMatchObject({ unchanged: 'late', dueAppends });
    const both = { ...withdraw('w2', 'p1'), correlationId: ['p1', 'p2'] };
    world.send(propose('p2'));
    expect(world.send(both)).toMatchObject({ unchanged: 'late', dueAppends });
    world.review('p1');
    expect(world.send(fulfil('f1', 'p1'))).toEqual({
      refused: expect.objectContaining({ code: 'proposal_not_pending' }),
    });
    expect(world.types(world.send(both))).toEqual(['withdrawn']);
  });

  it('O-19: does not end a proposal that is no longer pending', () => {
    const world = createWorld();
    world.send(propose('p1', { ttl: 5_000 }));
    world.send(withdraw('w1', 'p1'));
    world.now += 10_000;
    expect(world.types(world.review('p1'))).toEqual([]);
    expect(nextDeadline(world.proposal('p1'))).toBeUndefined();
  });

  it.each([
    ['the default of the space', { defaultTtl: 7_000, maxTtl: 9_000 }, undefined, 7_000],
    ['the maximum without a default', { maxTtl: 9_000 }, undefined, 9_000],
    ['its own', { defaultTtl: 7_000, maxTtl: 9_000 }, 8_000, 8_000],
  ])('O-19: a proposal gets %s', (_, settings, ttl, expected) => {
    const world = createWorld(undefined, settings);
    world.send(propose('p1', ttl === undefined ? {} : { ttl }));
    expect(world.proposal('p1').expiresAt).toBe(world.now + expected);
  });

  it('O-19: without any of them it does not expire', () => {
    const world = createWorld();
    world.send(propose('p1'));
    expect(nextDeadline(world.proposal('p1'))).toBeUndefined();
  });

  it('O-19: more than the maximum is refused, not silently shortened', () => {
    const world = createWorld(undefined, { maxTtl: 9_000 });
    expect(world.send(propose('p1', { ttl: 9_001 })).refused).toMatchObject({
      code: 'invalid_field',
      details: { field: 'payload.ttl', found: 9_001, expected: 'at most 9000' },
    });
  });
});
