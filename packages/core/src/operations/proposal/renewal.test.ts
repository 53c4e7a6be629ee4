import { describe, expect, it } from 'vitest';
import { answer, createWorld, fulfil, message, propose, status, withdraw } from '../testing/world.js';
import { nextDeadline } from './proposal.js';

const renew = (id: string, ttl: number, from = 'agent') =>
  message(from, id, 'mcpx.renew.proposal', { ttl }, { correlationId: 'p1' });

describe('O-36: renewal', () => {
  it('O-36: the proposer extends it, counted from now', () => {
    const world = createWorld();
    world.send(propose('p1', { ttl: 5_000 }));
    world.now += 4_000;
    expect(world.types(world.send(renew('r1', 10_000)))).toEqual(['renewed']);
    expect(world.proposal('p1').expiresAt).toBe(world.now + 10_000);
    world.now += 9_999;
    expect(world.types(world.review('p1'))).toEqual([]);
    world.now += 1;
    expect(world.types(world.review('p1'))).toEqual(['expired']);
  });

  it("O-36: only the proposer, within the space's maximum, and not after the end", () => {
    const world = createWorld(undefined, { maxTtl: 9_000 });
    world.send(propose('p1', { ttl: 5_000 }));
    expect(world.send(renew('r1', 5_000, 'reviewer')).refused?.code).toBe('not_proposer');
    expect(world.send(renew('r2', 9_001)).refused).toMatchObject({ details: { field: 'payload.ttl' } });
    world.send(withdraw('w1', 'p1'));
    expect(world.send(renew('r3', 5_000)).unchanged).toBe('late');
  });

  it('O-36: a warning is sent before it expires, once per extension', () => {
    const world = createWorld();
    world.send(propose('p1', { ttl: 600_000 }));
    expect(nextDeadline(world.proposal('p1'))).toBe(world.now + 540_000);
    world.now += 540_000;
    expect(world.types(world.review('p1'))).toEqual(['expiring']);
    expect(world.types(world.review('p1'))).toEqual([]);
    expect(world.records.at(-1)?.envelope.payload).toMatchObject({ notice: 'expiring' });
    world.send(renew('r1', 30_000));
    expect(nextDeadline(world.proposal('p1'))).toBe(world.now + 20_000);
    world.now += 20_000;
    expect(world.types(world.review('p1'))).toEqual(['expiring']);
  });

  it('O-36: no warning for a short life, if the space disables it, or once it is over', () => {
    const short = createWorld();
    short.send(propose('p1', { ttl: 19_999 }));
    expect(nextDeadline(short.proposal('p1'))).toBe(short.now + 19_999);
    const quiet = createWorld(undefined, { expiryWarnings: false });
    quiet.send(propose('p1', { ttl: 600_000 }));
    expect(nextDeadline(quiet.proposal('p1'))).toBe(quiet.now + 600_000);
    const late = createWorld();
    late.send(propose('p1', { ttl: 600_000 }));
    late.now += 600_000;
    expect(late.types(late.review('p1'))).toEqual(['expired']);
  });
});

describe('O-42: a status while it runs', () => {
  it('O-42: is recorded with its progress, until the end', () => {
    const world = createWorld();
    world.send(propose('p1'));
    world.send(fulfil('f1', 'p1'));
    const running = status('s1', 'p1', 'processing', 'tools');
    world.send({ ...running, payload: { ...running.payload, progress: 2, total: 5 } });
    expect(world.proposal('p1')).toMatchObject({ phase: 'fulfilled' });
    expect(world.proposal('p1').statuses.get('tools')).toMatchObject({ progress: 2, total: 5 });
    world.send(answer('a1', 'f1'));
    expect(world.send(status('s2', 'p1', 'processing', 'tools')).unchanged).toBe('late');
  });
});
