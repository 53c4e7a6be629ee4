import { describe, expect, it } from 'vitest';
import {
  announce,
  answer,
  chat,
  createWorld,
  fulfil,
  propose,
  reject,
  status,
  withdraw,
} from '../testing/world.js';
import { decideInSpace } from './decide-in-space.js';
import { mayRemoveProposal, streamsAwaitedBy } from './retention.js';

describe('removal by retention', () => {
  it("does not affect pending, running and unknown proposals, nor participants' streams", () => {
    const world = createWorld(undefined, { answerTimeout: 1_000 });
    const last = () => {
      const record = world.records.at(-1);
      return record === undefined ? undefined : mayRemoveProposal(record);
    };
    world.send(chat('c1', 'agent', 'hello'));
    expect(last()).toBe(false);
    world.send(announce('n1', 'tools', ['write_file']));
    expect(last()).toBe(false);
    world.send(propose('p1'));
    expect(last()).toBe(false);
    world.send(reject('r1', 'p1'));
    expect(last()).toBe(false);
    world.send(status('s1', 'p1', 'queued'));
    expect(last()).toBe(false);
    world.send(fulfil('f1', 'p1'));
    expect(last()).toBe(false);
    world.now += 1_000;
    world.review('p1');
    expect(world.proposal('p1').outcome?.result).toBe('unknown');
    expect(last()).toBe(false);
    world.send(answer('a1', 'f1'));
    expect(last()).toBe(true);
  });

  it('O-37: does not affect a proposal that another waits for', () => {
    const world = createWorld();
    world.send(propose('p1'));
    world.send(propose('p2', { depends_on: ['p1'] }));
    expect(world.records.map(streamsAwaitedBy)).toEqual([[], ['main/proposal/p1']]);
  });

  it('applies to withdrawn, expired and finally declined proposals', () => {
    const world = createWorld();
    const removable = () => world.records.filter(mayRemoveProposal).map(({ type }) => type);
    world.send(propose('p1'));
    world.send(withdraw('w1', 'p1'));
    world.send(propose('p2', { ttl: 10 }));
    world.now += 10;
    world.review('p2');
    world.send(propose('p3', {}, { to: ['reviewer'] }));
    world.send(reject('r3', 'p3'));
    expect(removable()).toEqual(['withdrawn', 'expired']);
    const targeting = { preferred: ['reviewer'], exclusive: true, fallback_to_broadcast: false };
    world.send(propose('p4', { targeting }));
    world.send(reject('r4', 'p4'));
    expect(removable()).toEqual(['withdrawn', 'expired', 'declined']);
  });
});

describe('a removed proposal', () => {
  const world = createWorld();
  const decide = (envelope: ReturnType<typeof propose>) =>
    decideInSpace(world.space, envelope, {
      now: world.now,
      isPresent: () => true,
      isRemoved: (id) => id === 'old',
    });

  it('O-3: keeps its id taken, for a proposal and for anything else', () => {
    expect(decide(propose('old')).refused).toMatchObject({ code: 'id_conflict', details: { found: 'old' } });
    expect(decide(chat('old', 'agent', 'hello')).refused?.code).toBe('id_conflict');
    expect(decide(propose('new')).appends).toHaveLength(1);
  });

  it('O-16: makes messages about it late', () => {
    for (const late of [withdraw('w1', 'old'), reject('r1', 'old'), status('s1', 'old', 'queued')]) {
      expect(decide(late).unchanged).toBe('late');
    }
    expect(decide(withdraw('w2', 'never')).refused?.code).toBe('unknown_proposal');
  });

  it('O-12: lets no request run that may be its second fulfilment', () => {
    expect(decide(fulfil('f1', 'old')).refused).toMatchObject({
      code: 'proposal_not_pending',
      details: { proposal: 'old', state: 'removed' },
    });
  });
});
