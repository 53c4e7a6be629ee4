import { describe, expect, it } from 'vitest';
import { viewPending } from '../proposal/pending-view.js';
import { decideInSpace } from '../space/decide-in-space.js';
import { listedBy, servedBy } from '../space/servers.js';
import { emptySpace, evolveSpace } from '../space/space.js';
import { viewSpace } from '../space/space-view.js';
import { announce, createWorld, fulfil, message, propose } from '../testing/world.js';
import { deliveredEnvelope } from './delivery.js';

const tool = (name: string) => ({ list: 'tools', name }) as const;

describe('O-26: the executor', () => {
  it('O-26: is the only one that serves the tool', () => {
    const world = createWorld();
    world.send(announce('n1', 'tools', ['write_file']));
    world.send(propose('p1'));
    world.send(fulfil('f1', 'p1', { to: [] }));
    expect(world.proposal('p1').fulfilment?.executor).toBe('tools');
    const delivered = world.records.map(deliveredEnvelope).at(-1);
    expect(delivered).toMatchObject({ id: 'f1', to: ['tools'] });
  });

  it('O-26: is the addressee that serves the tool, and nobody else can run it', () => {
    const world = createWorld(['agent', 'reviewer', 'tools', 'other']);
    world.send(announce('n1', 'tools', ['write_file']));
    world.send(propose('p1'));
    world.send(fulfil('f1', 'p1', { to: ['other', 'tools'] }));
    expect(world.records.map(deliveredEnvelope).at(-1)?.to).toEqual(['tools']);
  });

  it('O-26: of several that serve it, is the first that announced it, even if it announces it again', () => {
    const world = createWorld(['agent', 'reviewer', 'b-tools', 'a-tools']);
    world.send(announce('n1', 'b-tools', ['write_file']));
    world.now++;
    world.send(announce('n2', 'a-tools', ['write_file']));
    world.send(announce('n3', 'b-tools', ['read_file', 'write_file']));
    world.send(propose('p1'));
    world.send(fulfil('f1', 'p1', { to: [] }));
    expect(world.proposal('p1').fulfilment?.executor).toBe('b-tools');
    world.send(announce('n4', 'b-tools', []));
    world.now++;
    world.send(announce('n5', 'b-tools', ['write_file']));
    expect(servedBy(world.space, tool('write_file'))).toEqual(['b-tools', 'a-tools']);
  });

  it('O-26, I-3: is the same in whatever order two gateways see two announcements', () => {
    const world = createWorld(['b-tools', 'a-tools']);
    world.send(announce('n1', 'b-tools', ['write_file', 'read_file']));
    world.now++;
    world.send(announce('n2', 'a-tools', ['write_file']));
    for (const records of [world.records, world.records.toReversed()]) {
      const space = records.reduce(evolveSpace, emptySpace(world.space.settings));
      expect(servedBy(space, tool('write_file'))).toEqual(['b-tools', 'a-tools']);
    }
  });

  it('O-26: is an addressee that serves it, even if another announced it first', () => {
    const world = createWorld(['agent', 'reviewer', 'b-tools', 'a-tools']);
    world.send(announce('n1', 'b-tools', ['write_file']));
    world.send(announce('n2', 'a-tools', ['write_file']));
    world.send(propose('p1'));
    world.send(fulfil('f1', 'p1', { to: ['a-tools'] }));
    expect(world.proposal('p1').fulfilment?.executor).toBe('a-tools');
  });

  it.each([[['agent']], [[]]])('O-26: is not the proposer (to: %j)', (to) => {
    const world = createWorld();
    world.send(announce('n1', 'agent', ['write_file']));
    world.send(propose('p1'));
    expect(world.send(fulfil('f1', 'p1', { to })).refused).toMatchObject({
      code: 'own_call',
      details: { executor: 'agent' },
    });
    world.send(announce('n2', 'tools', ['write_file']));
    world.send(fulfil('f2', 'p1', { to: [] }));
    expect(world.proposal('p1').fulfilment?.executor).toBe('tools');
  });

  it('O-26: is not the proposer if nobody announced it either', () => {
    const world = createWorld();
    world.send(propose('p1'));
    expect(world.send(fulfil('f1', 'p1', { to: ['agent'] })).refused?.code).toBe('own_call');
  });

  it('O-26: may be the proposer if the operator lets it run its own calls', () => {
    const world = createWorld();
    world.runsOwnCalls.add('agent');
    world.send(announce('n1', 'agent', ['write_file']));
    world.send(propose('p1'));
    world.send(fulfil('f1', 'p1', { to: [] }));
    expect(world.proposal('p1').fulfilment?.executor).toBe('agent');
  });

  it('O-26: is the one that the proposal names, and nobody in its place', () => {
    const world = createWorld(['agent', 'reviewer', 'tools']);
    world.send(announce('n1', 'tools', ['write_file']));
    world.send(announce('n2', 'files', ['write_file']));
    world.send(propose('p1', { executor: 'files' }));
    expect(world.send(fulfil('f1', 'p1', { to: [] })).refused?.code).toBe('executor_absent');
    expect(world.send(fulfil('f2', 'p1', { to: ['tools'] })).refused).toMatchObject({
      code: 'executor_changed',
      details: { executor: 'files' },
    });
    world.present.add('files');
    world.send(fulfil('f3', 'p1', { to: [] }));
    expect(world.proposal('p1').fulfilment?.executor).toBe('files');
  });

  it('O-26: is shown for a pending proposal', () => {
    const world = createWorld();
    const presence = {
      isPresent: (name: string) => world.present.has(name),
      rightsOf: () => undefined,
    };
    const wouldRun = () => viewPending(world.space, world.proposal('p1'), presence)['wouldRun'];
    world.send(propose('p1'));
    expect(wouldRun()).toBeUndefined();
    world.send(announce('n1', 'tools', ['write_file']));
    expect(wouldRun()).toMatchObject({ name: 'tools', isConnected: true, isProposer: false });
    world.present.delete('tools');
    expect(wouldRun()).toMatchObject({ name: 'tools', isConnected: false, isProposer: false });
  });

  it('O-26: of several, is the only one present', () => {
    const world = createWorld(['agent', 'reviewer', 'b-tools']);
    world.send(announce('n1', 'b-tools', ['write_file']));
    world.send(announce('n2', 'a-tools', ['write_file']));
    world.send(propose('p1'));
    world.send(fulfil('f1', 'p1', { to: [] }));
    expect(world.proposal('p1').fulfilment?.executor).toBe('b-tools');
  });

  it('O-26: is not guessed if nobody serves it', () => {
    const world = createWorld();
    world.send(propose('p1'));
    expect(world.send(fulfil('f1', 'p1', { to: [] })).refused).toMatchObject({
      code: 'ambiguous_executor',
      details: { subject: 'write_file', candidates: [] },
    });
  });

  it('O-26: a single addressee needs no announcement', () => {
    const world = createWorld();
    world.send(propose('p1'));
    expect(world.types(world.send(fulfil('f1', 'p1', { to: ['tools'] })))).toEqual(['fulfilled']);
  });

  it.each([[['tools']], [[]]])('O-26: an absent one does not use the proposal up (to: %j)', (to) => {
    const world = createWorld(['agent', 'reviewer']);
    world.send(announce('n1', 'tools', ['write_file']));
    world.send(propose('p1'));
    expect(world.send(fulfil('f1', 'p1', { to })).refused).toMatchObject({
      code: 'executor_absent',
      details: { executor: 'tools' },
    });
    expect(world.proposal('p1').phase).toBe('pending');
  });

  it('O-26: is not one that is briefly absent but counts as present', () => {
    const world = createWorld();
    world.send(propose('p1'));
    const context = { now: world.now, isPresent: () => true, isConnected: () => false };
    expect(decideInSpace(world.space, fulfil('f1', 'p1'), context).refused).toMatchObject({
      code: 'executor_absent',
      details: { executor: 'tools' },
    });
  });

  it('O-26: a later announcement replaces the earlier one', () => {
    const world = createWorld();
    world.send(announce('n1', 'tools', ['write_file', 'read_file']));
    world.send(announce('n2', 'tools', ['read_file']));
    expect(servedBy(world.space, tool('write_file'))).toEqual([]);
    expect(servedBy(world.space, tool('read_file'))).toEqual(['tools']);
  });

  it('O-26: prompts are found by name and resources by URI, separately from tools', () => {
    const world = createWorld();
    world.send(message('tools', 'n1', 'mcpx.announce.resources', { resources: [{ uri: 'file:///a' }] }));
    world.send(message('tools', 'n2', 'mcpx.announce.prompts', { prompts: [{ name: 'greet' }] }));
    expect(servedBy(world.space, { list: 'resources', name: 'file:///a' })).toEqual(['tools']);
    expect(servedBy(world.space, { list: 'prompts', name: 'greet' })).toEqual(['tools']);
    expect(servedBy(world.space, tool('greet'))).toEqual([]);
  });

  it('O-26: a method without a subject has no single executor; the first answer settles it', () => {
    const world = createWorld(['agent', 'reviewer', 'tools', 'other']);
    world.send(message('agent', 'p1', 'mcp.proposal.tools/list', { method: 'tools/list' }));
    const request = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const extra = { correlationId: 'p1', to: ['tools', 'other'] };
    world.send(message('reviewer', 'f1', 'mcp.request.tools/list', request, extra));
    expect(world.proposal('p1').fulfilment?.executor).toBeUndefined();
    const response = message('agent', 'a1', 'mcp.response', { result: {} }, { correlationId: 'f1' });
    expect(world.send(response).refused?.code).toBe('not_executor');
    world.send({ ...response, from: 'other' });
    expect(world.proposal('p1')).toMatchObject({ phase: 'settled', outcome: { by: 'other' } });
  });

  it('O-26: an addressee that does not serve what others announced does not become the executor', () => {
    const world = createWorld();
    world.send(announce('n1', 'tools', ['write_file']));
    world.send(propose('p1'));
    expect(world.send(fulfil('f1', 'p1', { to: ['reviewer'] })).refused).toMatchObject({
      code: 'ambiguous_executor',
      details: { candidates: ['tools'] },
    });
  });

  it('O-26: if several serve it and all are absent, the refusal says so', () => {
    const world = createWorld(['agent', 'reviewer']);
    world.send(announce('n1', 'b-tools', ['write_file']));
    world.send(announce('n2', 'a-tools', ['write_file']));
    world.send(propose('p1'));
    expect(world.send(fulfil('f1', 'p1', { to: [] })).refused?.code).toBe('executor_absent');
  });

  describe('a participant that only lists a tool', () => {
    const ask = (id: string, to: readonly string[] = [], params = {}) =>
      message('reviewer', id, 'mcp.request.tools/list', { method: 'tools/list', params }, { to });
    const list = (id: string, from: string, request: string, ...names: readonly string[]) =>
      message(
        from,
        id,
        'mcp.response',
        { result: { tools: names.map((name) => ({ name })) } },
        { correlationId: request },
      );
    const names = ['agent', 'reviewer', 'tools', 'mew'];
    const executorOf = (world: ReturnType<typeof createWorld>, to: readonly string[] = []) => {
      world.send(propose('p1'));
      const { refused } = world.send(fulfil('f1', 'p1', { to }));
      return refused?.code ?? world.proposal('p1').fulfilment?.executor;
    };

    it('O-26, O-22: runs it if nobody announced it, even after a replay', () => {
      const world = createWorld(names);
      world.send(ask('q1', ['mew']));
      world.send(list('l1', 'mew', 'q1', 'write_file'));
      expect(executorOf(world)).toBe('mew');
      const replayed = world.records.reduce(evolveSpace, emptySpace(world.space.settings));
      expect(listedBy(replayed, tool('write_file'))).toEqual(['mew']);
      expect(viewSpace(replayed)).toEqual(viewSpace(world.space));
    });

    it('O-26: does not displace one that announced it, and replaces one that left', () => {
      const world = createWorld(names);
      world.send(ask('q1'));
      world.send(list('l1', 'mew', 'q1', 'write_file'));
      world.send(announce('n1', 'tools', ['write_file']));
      expect(executorOf(world)).toBe('tools');
      world.present.delete('tools');
      world.send(propose('p2'));
      world.send(fulfil('f2', 'p2', { to: [] }));
      expect(world.proposal('p2').fulfilment?.executor).toBe('mew');
    });

    it('O-26: runs it if it is addressed, even if another announced it', () => {
      const world = createWorld(names);
      world.send(announce('n1', 'tools', ['write_file']));
      world.send(ask('q1'));
      world.send(list('l1', 'mew', 'q1', 'write_file'));
      expect(executorOf(world, ['mew'])).toBe('mew');
    });

    it.each([
      ['it was not asked', 'q1', ['tools']],
      ['nobody asked', 'q2', []],
    ] as const)('O-26: is not the executor if %s', (_, request, to) => {
      const world = createWorld(names);
      world.send(ask('q1', to));
      world.send(list('l1', 'mew', request, 'write_file'));
      expect(executorOf(world)).toBe('ambiguous_executor');
    });

    it('O-26: no longer serves what its next list leaves out, nor what its announcement does', () => {
      const world = createWorld(names);
      world.send(ask('q1'));
      world.send(list('l1', 'mew', 'q1', 'write_file', 'read_file'));
      world.send(list('l2', 'mew', 'q1', 'write_file'));
      expect(listedBy(world.space, tool('read_file'))).toEqual([]);
      // A later page says nothing about the first one.
      world.send(ask('q2', [], { cursor: '2' }));
      world.send(list('l3', 'mew', 'q2', 'read_file'));
      expect(listedBy(world.space, tool('write_file'))).toEqual(['mew']);
      world.send(announce('n1', 'mew', ['read_file']));
      expect(listedBy(world.space, tool('write_file'))).toEqual([]);
    });
  });

  it('I-4: without an addressee, the proposer does not answer its own proposal', () => {
    const world = createWorld();
    world.send(message('agent', 'p1', 'mcp.proposal.tools/list', { method: 'tools/list' }));
    const request = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    world.send(message('reviewer', 'f1', 'mcp.request.tools/list', request, { correlationId: 'p1' }));
    const response = message('agent', 'a1', 'mcp.response', { result: {} }, { correlationId: 'f1' });
    expect(world.send(response).refused?.code).toBe('not_executor');
  });
});
