import { describe, expect, it } from 'vitest';
import { answer, createWorld, fulfil, propose, reject, withdraw } from '../testing/world.js';
import { hasAnswer } from './rejection.js';

describe('whether there is an answer for a waiting caller', () => {
  it('O-31: a rejection is one, if its sender could have approved', () => {
    const world = createWorld();
    world.send(propose('p1'));
    expect(hasAnswer(world.proposal('p1'))).toBe(false);
    world.send(reject('r1', 'p1', 'tools'));
    world.send(reject('r2', 'p1', 'reviewer', 'busy'));
    expect(hasAnswer(world.proposal('p1'))).toBe(false);
    world.send(reject('r3', 'p1'));
    expect(hasAnswer(world.proposal('p1'))).toBe(true);
    expect(hasAnswer(world.proposal('p1'), true)).toBe(false);
  });

  it('O-23: a running call has none yet; an ended one has, even if the outcome is unknown', () => {
    const world = createWorld(undefined, { answerTimeout: 1_000 });
    for (const id of ['p1', 'p2', 'p3']) world.send(propose(id));
    world.send(fulfil('f1', 'p1'));
    world.send(fulfil('f2', 'p2'));
    expect(hasAnswer(world.proposal('p1'))).toBe(false);
    world.send(answer('a1', 'f1'));
    world.now += 2_000;
    world.review('p2');
    world.send(withdraw('w1', 'p3'));
    for (const id of ['p1', 'p2', 'p3']) expect(hasAnswer(world.proposal(id), true)).toBe(true);
  });
});
