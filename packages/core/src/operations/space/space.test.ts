import { describe, expect, it } from 'vitest';
import { replay } from '../../decision.js';
import { canonicalJson } from '../../json/canonical.js';
import { evolveProposal } from '../proposal/evolve-proposal.js';
import type { Proposal } from '../proposal/proposal.js';
import type { OperationRecord, ProposalRecord } from '../records.js';
import { proposalsNamedBy } from '../routing/route.js';
import { announce, answer, chat, createWorld, fulfil, propose, reject, withdraw } from '../testing/world.js';
import { decideInSpace } from './decide-in-space.js';
import { seenIds } from './recent-ids.js';
import {
  emptySpace,
  evictProposal,
  evolveSpace,
  proposalsDependingOn,
  recallProposal,
  type SpaceState,
} from './space.js';
import { viewSpace } from './space-view.js';

function busyWorld() {
  const world = createWorld();
  world.send(announce('n1', 'tools', ['write_file']));
  world.send(chat('c1', 'agent', 'hello'));
  world.send(propose('p1', { ttl: 60_000 }, { to: ['reviewer'] }));
  world.send(reject('r1', 'p1'));
  world.send(propose('p2'));
  world.send(fulfil('f2', 'p2', { to: [] }));
  world.send(answer('a2', 'f2'));
  return world;
}

describe('O-22: the state of a space', () => {
  it('O-22, I-3: equals a replay of the records, byte for byte', () => {
    const world = busyWorld();
    const { settings } = world.space;
    const replayed = replay({ initial: emptySpace(settings), evolve: evolveSpace }, world.records);
    expect(canonicalJson(viewSpace(replayed))).toBe(canonicalJson(viewSpace(world.space)));
  });

  it('O-22: finished proposals can be evicted and recalled from their streams', () => {
    const world = busyWorld();
    const stream = world.records.filter(({ stream }) => stream === 'main/proposal/p2') as ProposalRecord[];
    const forgotten = evictProposal(world.space, 'p2');
    expect(forgotten.proposals.has('p2')).toBe(false);
    const folded = stream.reduce<Proposal | undefined>(evolveProposal, undefined) as Proposal;
    const said = stream.flatMap((record, index) => seenIds('main', record, index + 1));
    const recalled = recallProposal(forgotten, folded, said);
    expect(canonicalJson(viewSpace(recalled))).toBe(canonicalJson(viewSpace(world.space)));
    const unheard = recallProposal(emptySpace(world.space.settings), folded, said);
    for (const { envelope } of stream) expect(unheard.recent.newer.has(envelope.id)).toBe(true);
  });

  it('O-16, O-22: an answer to an evicted proposal finds it and is late, for the dedup window', () => {
    const world = createWorld(undefined, { dedupWindow: 1_000 });
    for (const number of [1, 2]) {
      world.send(propose(`p${number}`));
      world.send(fulfil(`f${number}`, `p${number}`));
      world.send(answer(`a${number}`, `f${number}`));
    }
    const settled = world.proposal('p1');
    const forgotten = evictProposal(world.space, 'p1');
    expect(forgotten.fulfilments.has('f1')).toBe(false);
    expect(proposalsNamedBy(forgotten, answer('b1', 'f1'))).toEqual(['p1']);
    const context = { now: world.now + 2_000, isPresent: () => true };
    const recalled = recallProposal(forgotten, settled);
    expect(decideInSpace(recalled, answer('b1', 'f1'), context)).toEqual({ unchanged: 'late' });
    // Its id stays taken meanwhile.
    const other = decideInSpace(forgotten, chat('f1', 'agent', 'hello'), context);
    expect(other).toMatchObject({ refused: { code: 'id_conflict' } });
    const after = (milliseconds: number): SpaceState => {
      world.now += milliseconds;
      world.send(chat(`c${world.now}`, 'agent', 'hello'));
      return evolveSpace(forgotten, world.records.at(-1) as OperationRecord);
    };
    expect(proposalsNamedBy(after(1_999), answer('b1', 'f1'))).toEqual(['p1']);
    expect(proposalsNamedBy(after(1), answer('b1', 'f1'))).toEqual([]);
  });

  it('O-3, O-15: a batch is remembered the same in whatever order its parts arrive', () => {
    const world = createWorld();
    for (const id of ['p1', 'p2', 'p3']) world.send(propose(id));
    const before = world.space;
    const { length } = world.records;
    world.send(withdraw('w1', ['p1', 'p2', 'p3']));
    const other = world.records.slice(length).reverse().reduce(evolveSpace, before);
    expect(canonicalJson(viewSpace(other))).toBe(canonicalJson(viewSpace(world.space)));
  });

  it('O-22: knows which proposals a message needs', () => {
    const world = busyWorld();
    expect(proposalsNamedBy(world.space, propose('p1'))).toEqual(['p1']);
    expect(proposalsNamedBy(world.space, fulfil('f1', 'p1'))).toEqual(['p1']);
    expect(proposalsNamedBy(world.space, withdraw('w1', ['p1', 'p2']))).toEqual(['p1', 'p2']);
    expect(proposalsNamedBy(world.space, answer('a2', 'f2'))).toEqual(['p2']);
    expect(proposalsNamedBy(world.space, answer('a1', 'nothing'))).toEqual([]);
    expect(proposalsNamedBy(world.space, chat('c1', 'agent', 'hello'))).toEqual([]);
  });
});

describe('I-8: joining or leaving concerns only the proposals that depend on it', () => {
  it('I-8: the preferred matter while it is pending, the executor while it runs, then nobody', () => {
    const world = createWorld();
    const depending = (name: string) => [...proposalsDependingOn(world.space, name)];
    world.send(propose('p0', {}, { to: ['reviewer'] }));
    expect(depending('reviewer')).toEqual([]);
    world.send(propose('p1', { targeting: { preferred: ['reviewer'], exclusive: true } }));
    expect(depending('reviewer')).toEqual(['p1']);
    world.send(fulfil('f1', 'p1'));
    expect(depending('reviewer')).toEqual([]);
    expect(depending('tools')).toEqual(['p1']);
    world.send(answer('a1', 'f1'));
    expect(depending('tools')).toEqual([]);
    expect(world.space.dependents.size).toBe(0);
  });

  it('I-8: forgetting a proposal leaves nothing behind', () => {
    const world = createWorld();
    world.send(propose('p1', {}, { to: ['reviewer', 'tools'] }));
    world.send(fulfil('f1', 'p1'));
    world.send(answer('a1', 'f1'));
    const space = evictProposal(world.space, 'p1');
    expect(space.dependents.size + space.proposals.size + space.fulfilments.size).toBe(0);
  });

  it('O-22: unfinished proposals are not evicted: decisions depend on them', () => {
    const world = createWorld();
    world.send(propose('p1'));
    world.send(propose('p2'));
    world.send(fulfil('f2', 'p2'));
    world.present.delete('tools');
    world.review('p2');
    expect(world.proposal('p2').outcome?.result).toBe('unknown');
    for (const id of ['p1', 'p2']) expect(evictProposal(world.space, id)).toBe(world.space);
  });

  it('O-22: a fulfilment keeps its answers when another proposal is evicted or recalled', () => {
    const world = createWorld(undefined, { dedupWindow: 10 });
    world.send(propose('p1'));
    world.send(fulfil('f1', 'p1'));
    world.send(answer('a1', 'f1'));
    const settled = world.proposal('p1');
    const forgotten = evictProposal(world.space, 'p1');
    const reused = { ...settled, id: 'p2' };
    const space = recallProposal(recallProposal(forgotten, reused), settled);
    expect(space.fulfilments.get('f1')).toBe('p2');
    expect(evictProposal(space, 'p1').fulfilments.get('f1')).toBe('p2');
  });

  it('O-22: an unknown record type stops the fold instead of changing the state', () => {
    const world = busyWorld();
    const strange = { ...world.records.at(-1), type: 'blessed' } as unknown as ProposalRecord;
    expect(() => evolveSpace(world.space, strange)).toThrow(/does not support the record type "blessed"/);
  });
});

describe('I-7: pending proposals per participant', () => {
  it('I-7: beyond the limit are refused, and decided ones no longer count', () => {
    const world = createWorld(undefined, { maxPending: 2 });
    world.send(propose('p1'));
    world.send(propose('p2'));
    expect(world.send(propose('p3')).refused).toMatchObject({
      code: 'too_many_pending',
      details: { limit: 2, pending: 2 },
    });
    expect(world.send(propose('p2')).unchanged).toBe('duplicate');
    expect(world.types(world.send(propose('q1', {}, {}, 'reviewer')))).toEqual(['proposed']);
    world.send(fulfil('f1', 'p1'));
    expect(world.types(world.send(propose('p3')))).toEqual(['proposed']);
    world.send(withdraw('w1', ['p2', 'p3']));
    expect(world.space.pending.get('agent')).toBeUndefined();
  });
});

describe('I-5: a refusal leaves no trace', () => {
  it('I-5: the state is the same object after a refusal, and the id is free', () => {
    const world = busyWorld();
    const before = world.space;
    expect(world.send(fulfil('x1', 'p1', { from: 'agent' })).refused?.code).toBe('self_fulfilment');
    expect(world.space).toBe(before);
    expect(world.types(world.send(chat('x1', 'agent', 'the id is still free')))).toEqual(['said']);
  });
});
