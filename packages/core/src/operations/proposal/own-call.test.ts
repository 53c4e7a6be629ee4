import { describe, expect, it } from 'vitest';
import type { ProposalRecord } from '../records.js';
import { mayRemoveProposal } from '../space/retention.js';
import {
  announce,
  answer,
  createWorld,
  fulfil,
  message,
  propose,
  status,
  type World,
} from '../testing/world.js';
import { evolveProposal } from './evolve-proposal.js';
import { isOver, nextDeadline, type Proposal } from './proposal.js';
import { hasAnswer } from './rejection.js';

/** An agent that runs its own calls proposed one, and a reviewer approved it. */
function approved(): World {
  const world = createWorld(['agent', 'reviewer', 'tools'], { answerTimeout: 60_000 });
  world.runsOwnCalls.add('agent');
  world.send(announce('n1', 'agent', ['write_file']));
  world.send(propose('p1'));
  world.send(fulfil('f1', 'p1', { to: [] }));
  return world;
}

describe('call that its own agent runs', () => {
  it('O-46: is allowed from the approval on, and nothing more is claimed', () => {
    const world = approved();
    const proposal = world.proposal('p1');
    expect(proposal).toMatchObject({ phase: 'allowed', fulfilment: { executor: 'agent', by: 'reviewer' } });
    expect(proposal.outcome).toBeUndefined();
    expect([isOver(proposal), hasAnswer(proposal), nextDeadline(proposal)]).toEqual([
      false,
      false,
      world.now + 60_000,
    ]);
  });

  it.each([
    ['ok', { result: { content: [] } }],
    ['error', { result: { isError: true, content: [] } }],
    ['error', { error: { code: -32_000, message: 'exit code 3' } }],
    ['unknown', { error: { code: -32_000, message: 'killed', data: { outcome: 'unknown' } } }],
  ] as const)('O-46: is settled as %s by the report of its agent', (result, payload) => {
    const world = approved();
    world.send(answer('a1', 'f1', payload, 'agent'));
    expect(world.proposal('p1')).toMatchObject({ phase: 'settled', outcome: { result } });
  });

  it('O-46: its agent may report that it ran nothing', () => {
    const world = approved();
    const data = { 'proffer/notRun': { outcome: 'withdrawn', reason: 'nobody waits' } };
    world.send(answer('a1', 'f1', { error: { code: -32_000, message: 'Nothing was run.', data } }, 'agent'));
    expect(world.proposal('p1').outcome).toMatchObject({ result: 'error', notRun: true });
  });

  it('O-46: is settled by nobody else', () => {
    const world = approved();
    for (const [index, who] of ['tools', 'reviewer'].entries())
      expect(world.send(answer(`a${index}`, 'f1', { result: {} }, who)).refused?.code).toBe('not_executor');
    expect(world.proposal('p1').phase).toBe('allowed');
  });

  it('O-46: stays allowed when its agent disconnects, and is unknown when its time is up', () => {
    const world = approved();
    world.present.delete('agent');
    world.leave('agent');
    world.review('p1');
    expect(world.proposal('p1').phase).toBe('allowed');
    world.now += 60_000;
    expect(world.types(world.review('p1'))).toEqual(['outcome_unknown']);
    expect(world.proposal('p1').outcome).toMatchObject({ result: 'unknown', cause: 'not_reported' });
  });

  it('O-46: a report that comes after its time still counts, though nobody waits for it', () => {
    const world = approved();
    world.now += 60_000;
    world.review('p1');
    expect(isOver(world.proposal('p1'))).toBe(true);
    const last = world.records.at(-1);
    expect(last !== undefined && mayRemoveProposal(last)).toBe(true);
    world.send(answer('a1', 'f1', { result: { content: [] } }, 'agent'));
    expect(world.proposal('p1').outcome).toMatchObject({ result: 'ok', by: 'agent' });
  });

  it('O-42, O-46: shows progress meanwhile', () => {
    const world = approved();
    world.send(status('s1', 'p1', 'processing', 'agent'));
    expect(world.proposal('p1').statuses.get('agent')).toMatchObject({ status: 'processing' });
  });

  it('I-3, O-46: a record from before this clause is folded as it was', () => {
    const world = approved();
    const stream = world.records.filter(({ stream }) => stream.endsWith('/p1')) as readonly ProposalRecord[];
    const older = stream.map((record) => {
      if (record.type !== 'fulfilled') return record;
      const { allowed: _allowed, ...facts } = record.facts;
      return { ...record, facts };
    });
    const fold = (records: readonly ProposalRecord[]) =>
      records.reduce<Proposal | undefined>((state, record) => evolveProposal(state, record), undefined);
    expect([fold(stream)?.phase, fold(older)?.phase]).toEqual(['allowed', 'fulfilled']);
  });

  it('O-46: a call that another participant runs is fulfilled, and a notification needs no report', () => {
    const world = createWorld();
    world.runsOwnCalls.add('agent');
    world.send(propose('p1'));
    world.send(fulfil('f1', 'p1'));
    expect(world.proposal('p1').phase).toBe('fulfilled');
    const method = 'notifications/changed';
    world.send(message('agent', 'p2', `mcp.proposal.${method}`, { method, executor: 'agent' }));
    const request = { jsonrpc: '2.0', method };
    world.send(message('reviewer', 'f2', `mcp.request.${method}`, request, { correlationId: 'p2' }));
    expect(world.proposal('p2')).toMatchObject({ phase: 'fulfilled', fulfilment: { executor: 'agent' } });
  });
});
