import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../json/canonical.js';
import { viewPending } from '../proposal/pending-view.js';
import { decodeSpace, encodeSpace, type SpacePart } from '../snapshot/index.js';
import { emptySpace, evolveSpace, type SpaceState } from '../space/space.js';
import { viewSpace } from '../space/space-view.js';
import { entry, reviewed } from '../testing/reviewed.js';
import {
  accept,
  announce,
  answer,
  approve,
  counter,
  createWorld,
  fulfil,
  grant,
  message,
  propose,
  type World,
} from '../testing/world.js';

const tool = { list: 'tools', name: 'write_file' } as const;
const NAMES = ['agent', 'reviewer', 'ann', 'bob', 'tools', 'other', 'bot'];

/** A space in which `tools` served the tool, left, and `other` announces it. */
function replaced(leave: (world: World) => void = (world) => void world.present.delete('tools')): World {
  const world = createWorld(NAMES);
  world.send(announce('n1', 'tools', ['write_file', 'read_file']));
  world.now++;
  world.send(announce('n2', 'other', ['write_file']));
  leave(world);
  world.send(propose('p1'));
  return world;
}

const seeing = (insteadOf: string, from = 'reviewer', id = 'a1', proposal = 'p1') => {
  const { payload, ...rest } = approve(id, proposal, { from });
  return { ...rest, payload: { ...payload, seen: { insteadOf } } };
};

const wouldRun = (world: World, space: SpaceState = world.space) => {
  const presence = { isPresent: (name: string) => world.present.has(name), rightsOf: () => undefined };
  return viewPending(space, world.proposal('p1'), presence)['wouldRun'];
};

describe('O-26: somebody new who announces what another one served', () => {
  it.each<[string, (world: World) => void]>([
    ['is gone', (world) => void world.present.delete('tools')],
    ['no longer announces it', (world) => void world.send(announce('n3', 'tools', ['read_file']))],
    ['announces nothing', (world) => void world.send(announce('n3', 'tools', []))],
  ])('O-26: gets no call unless a person saw the change, if the other one %s', (_, leave) => {
    const world = replaced(leave);
    expect(wouldRun(world)).toMatchObject({ name: 'other', isConnected: true, insteadOf: 'tools' });
    for (const sent of [
      fulfil('f1', 'p1', { to: [] }),
      fulfil('f2', 'p1', { to: ['other'] }),
      approve('f3', 'p1'),
      approve('f4', 'p1', { executor: 'other' }),
      seeing('other', 'reviewer', 'f5'),
    ])
      expect(world.send(sent).refused).toMatchObject({
        code: 'new_executor',
        details: { executor: 'other', insteadOf: 'tools' },
      });
    expect(world.types(world.send(seeing('tools')))).toEqual(['executor_confirmed', 'approved', 'fulfilled']);
    expect(world.proposal('p1').fulfilment).toMatchObject({ executor: 'other' });
    expect(world.records.find(({ type }) => type === 'executor_confirmed')).toMatchObject({
      stream: 'main/participant/other',
      facts: { ...tool, participant: 'other', insteadOf: 'tools', by: 'reviewer', about: 'p1' },
    });
  });

  it('O-26: takes nothing from one that is connected, or was there before', () => {
    const world = replaced((each) => each);
    expect(wouldRun(world)).toMatchObject({ name: 'tools' });
    expect(wouldRun(world)).not.toHaveProperty('insteadOf');
    world.send(announce('n3', 'tools', []));
    world.send(announce('n4', 'tools', ['write_file']));
    expect(wouldRun(world)).toMatchObject({ name: 'tools' });
    world.send(fulfil('f1', 'p1', { to: [] }));
    expect(world.proposal('p1').fulfilment?.executor).toBe('tools');
  });

  it('O-26, I-3: may run it from then on, after a restart and on another gateway, and nothing else', () => {
    const world = replaced();
    world.send(seeing('tools'));
    world.send(propose('p2'));
    world.send(fulfil('f2', 'p2', { to: [] }));
    expect(world.proposal('p2').fulfilment?.executor).toBe('other');
    const replay = world.records.reduce(evolveSpace, emptySpace(world.space.settings));
    expect(canonicalJson(viewSpace(replay))).toBe(canonicalJson(viewSpace(world.space)));
    const decoder = decodeSpace(world.space.settings, () => false);
    for (const part of encodeSpace(world.space)) decoder.take(JSON.parse(JSON.stringify(part)) as SpacePart);
    for (const space of [replay, decoder.end()]) expect(wouldRun(world, space)).toEqual(wouldRun(world));
    const reversed = world.records.filter(({ facts }) => 'participant' in facts).toReversed();
    const elsewhere = reversed.reduce(evolveSpace, emptySpace(world.space.settings));
    expect([...elsewhere.servers]).toEqual(expect.arrayContaining([...world.space.servers]));
    world.send(announce('n5', 'other', ['write_file', 'read_file']));
    const read = { method: 'tools/call', params: { name: 'read_file' } };
    world.send(message('agent', 'p3', 'mcp.proposal.tools/call', read));
    const request = message('reviewer', 'f3', 'mcp.request.tools/call', read, { correlationId: 'p3' });
    expect(world.send(request).refused?.code).toBe('new_executor');
  });

  it('O-26: is not run by a grant, nor let in by the proposer or by an agent alone', () => {
    const world = replaced();
    world.capabilities.set('agent', ['mcp.proposal.*', 'mcpx.accept.counter']);
    world.send(grant('g1', ['mcp.request.tools/call:write_*']));
    world.send(propose('p2'));
    expect(world.proposal('p2').phase).toBe('pending');
    world.send(counter('c1', 'p1'));
    expect(world.send(accept('x1', 'c1', 'agent', { seen: { insteadOf: 'tools' } })).refused?.code).toBe(
      'new_executor',
    );
    const agents = { from: ['bot'], perHour: 5, within: {} };
    const policed = reviewed([entry({ approvals: 1, from: ['bot'], agents })]);
    policed.capabilities.set('bot', ['*']);
    policed.present.add('bot').delete('tools');
    policed.now++;
    policed.send(announce('n2', 'other', ['write_file']));
    expect(policed.send(seeing('tools', 'bot')).refused?.code).toBe('agent_limit');
  });

  it('O-26, O-29: is seen by every one of several approvers', () => {
    const world = reviewed();
    world.present.delete('tools');
    world.now++;
    world.send(announce('n2', 'other', ['write_file']));
    expect(world.types(world.send(seeing('tools', 'ann')))).toEqual(['approved']);
    expect(world.send(approve('a2', 'p1', { from: 'bob' })).refused?.code).toBe('new_executor');
    expect(world.types(world.send(seeing('tools', 'bob', 'a3')))).toEqual([
      'executor_confirmed',
      'approved',
      'fulfilled',
    ]);
  });

  it('O-26, O-37: is seen when an early approval is given, not when it runs', () => {
    const world = replaced();
    world.send(propose('p2', { depends_on: ['p1'] }));
    world.send(seeing('tools', 'reviewer', 'a2', 'p2'));
    expect(world.proposal('p2').phase).toBe('approved');
    world.send(fulfil('f1', 'p1', { to: [] }));
    world.send(answer('x1', 'f1', undefined, 'other'));
    expect(world.proposal('p2').fulfilment?.executor).toBe('other');
  });

  it('O-26: may be named by a proposer only if a person sees it; one that runs its own calls may', () => {
    const world = createWorld(NAMES);
    world.send(announce('n1', 'tools', ['write_file']));
    world.send(propose('p1', { executor: 'other' }));
    expect(wouldRun(world)).toMatchObject({ name: 'other', insteadOf: 'tools' });
    expect(world.send(fulfil('f1', 'p1', { to: [] })).refused?.code).toBe('new_executor');
    world.runsOwnCalls.add('other');
    world.send(propose('p2', { executor: 'other' }, {}, 'other'));
    world.send(fulfil('f2', 'p2', { to: [] }));
    expect(world.proposal('p2').fulfilment?.executor).toBe('other');
  });

  it('I-7: a participant that announces ever new names is remembered for a bounded number of them', () => {
    const world = createWorld(NAMES);
    world.send(announce('n0', 'tools', ['write_file']));
    for (let round = 0; round < 30; round++)
      world.send(
        announce(
          `n${round + 1}`,
          'other',
          Array.from({ length: 100 }, (_, index) => `t${round}-${index}`),
        ),
      );
    world.send(announce('n99', 'other', []));
    expect(world.space.servers.size).toBe(1_001);
    expect(world.space.participants.get('other')?.served?.tools).toHaveLength(1_000);
  });
});
