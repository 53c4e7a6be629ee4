import { describe, expect, it } from 'vitest';
import { createWorld, fulfil, propose, reject, status, withdraw } from '../testing/world.js';
import { decisionOn, readProposalView, viewProposal } from './proposal-view.js';

describe('who decided what, why, and how long it took', () => {
  it('is empty while a proposal is pending', () => {
    const world = createWorld();
    world.send(propose('p1'));
    expect(decisionOn(world.proposal('p1'))).toBeUndefined();
  });

  it('names the fulfiller and whether it amended', () => {
    const world = createWorld();
    world.send(propose('p1'));
    world.now += 1_500;
    world.send(fulfil('f1', 'p1', { params: { name: 'write_file', arguments: {} } }));
    expect(decisionOn(world.proposal('p1'))).toMatchObject({
      decision: 'fulfilled',
      by: 'reviewer',
      amended: true,
      took: 1_500,
    });
  });

  it('gives the reason of a withdrawal', () => {
    const world = createWorld();
    world.send(propose('p1'));
    world.send(withdraw('w1', 'p1'));
    expect(decisionOn(world.proposal('p1'))).toMatchObject({
      decision: 'withdrawn',
      reason: 'changed my mind',
    });
  });

  it('O-17: names who rejected it if its proposer gave up because of that', () => {
    const world = createWorld();
    world.send(propose('p1'));
    world.now += 1_000;
    world.send(reject('r1', 'p1'));
    world.now += 500;
    world.send(withdraw('w1', 'p1', 'agent', 'declined'));
    expect(decisionOn(world.proposal('p1'))).toMatchObject({
      decision: 'rejected',
      by: 'reviewer',
      reason: 'unsafe',
      took: 1_000,
    });
  });

  it('O-15: names the proposer who withdrew it for another reason, whoever had rejected it', () => {
    const world = createWorld();
    world.send(propose('p1'));
    world.send(reject('r1', 'p1'));
    world.send(withdraw('w1', 'p1'));
    expect(decisionOn(world.proposal('p1'))).toMatchObject({ decision: 'withdrawn', by: 'agent' });
  });

  it('names nobody if time decided', () => {
    const world = createWorld();
    world.send(propose('p1', { ttl: 10 }));
    world.now += 10;
    world.review('p1');
    expect(decisionOn(world.proposal('p1'))).toEqual({
      decision: 'expired',
      why: 'undecided',
      amended: false,
      at: world.now,
      took: 10,
    });
  });

  it('O-17: shows rejections and statuses beside the state', () => {
    const world = createWorld();
    world.send(propose('p1'));
    world.send(status('s1', 'p1', 'considering', 'tools'));
    world.send(reject('r1', 'p1'));
    expect(viewProposal(world.proposal('p1'))).toMatchObject({
      phase: 'pending',
      rejections: { reviewer: { reason: 'unsafe' } },
      statuses: { tools: { status: 'considering' } },
    });
  });
});

it('I-3: a proposal restored from its view folds on like the original', () => {
  const world = createWorld();
  world.send(propose('p1', { ttl: 10_000 }));
  world.send(status('s1', 'p1', 'considering'));
  world.send(reject('r1', 'p1'));
  const sent = JSON.parse(JSON.stringify(viewProposal(world.proposal('p1'))));
  const read = readProposalView(sent);
  expect(viewProposal(read)).toEqual(sent);
  expect(read.rejections.get('reviewer')).toMatchObject({ reason: 'unsafe' });
});
