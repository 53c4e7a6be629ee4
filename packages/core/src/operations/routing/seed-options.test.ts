import { describe, expect, it } from 'vitest';
import { type Envelope, PROTOCOL } from '../../envelope/envelope.js';
import { nextDeadline } from '../proposal/proposal.js';
import { createWorld, fulfil, propose, reject } from '../testing/world.js';

const PEOPLE = ['agent', 'trusted', 'second', 'other', 'tools'];

describe('O-48: whom a proposal is for', () => {
  it.each([
    [{ fulfiller: ['trusted', 'second'] }, ['trusted', 'second']],
    [{ fulfiller: 'trusted' }, ['trusted']],
    [{ preferred_fulfillers: ['second'] }, ['second']],
    [{ preferred_participant: 'trusted' }, ['trusted']],
    [{ targeting: { preferred: ['other'] }, fulfiller: ['trusted'] }, ['other']],
  ])('O-48: %j prefers %j, and excludes nobody', (options, preferred) => {
    const world = createWorld(PEOPLE);
    world.send(propose('p1', options));
    expect(world.proposal('p1')).toMatchObject({
      addressees: preferred,
      targeting: { preferred, exclusive: false },
    });
    expect(world.types(world.send(fulfil('f1', 'p1', { from: 'other' })))).toEqual(['fulfilled']);
  });

  it('O-48, O-20: may be reserved for them', () => {
    const world = createWorld(PEOPLE);
    const targeting = { exclusive: true, exclusive_timeout: 3_000 };
    world.send(propose('p1', { fulfiller: 'trusted', targeting }));
    expect(world.send(fulfil('f1', 'p1', { from: 'other' })).refused?.code).toBe('reserved');
    expect(world.types(world.send(fulfil('f2', 'p1', { from: 'trusted' })))).toEqual(['fulfilled']);
  });

  it('O-48, O-38: required_capabilities addresses those who could fulfil it, after the preferred one', () => {
    const world = createWorld(PEOPLE);
    world.capabilities.set('trusted', ['mcp.request.tools/call:write_*']);
    world.capabilities.set('second', ['mcp.request.tools/call:write_*']);
    world.capabilities.set('other', ['mcp.request.tools/call:read_*']);
    world.send(propose('p1', { required_capabilities: ['filesystem'], preferred_participant: 'second' }));
    expect(world.proposal('p1').addressees).toEqual(['second', 'trusted']);
    world.capabilities.set('trusted', []);
    world.capabilities.set('second', []);
    const alone = world.send(propose('p2', { required_capabilities: ['filesystem', 'git'] }));
    expect(world.types(alone)).toEqual(['proposed', 'nobody_capable']);
  });
});

describe('O-48: a deadline for an answer', () => {
  const asking = { request_response: true, response_timeout: 5_000 };
  const status = (from: string): Envelope => ({
    protocol: PROTOCOL,
    ts: '2026-01-01T00:00:00Z',
    id: `s-${from}`,
    from,
    kind: 'mcpx.status.proposal',
    correlationId: 'p1',
    payload: { status: 'considering' },
  });

  it('O-48: the proposer is told once if nobody answered, and the proposal stays pending', () => {
    const world = createWorld(PEOPLE);
    expect(world.types(world.send(propose('p1', { ...asking, preferred_fulfillers: ['trusted'] })))).toEqual([
      'proposed',
    ]);
    expect(nextDeadline(world.proposal('p1'))).toBe(world.now + 5_000);
    world.now += 5_000;
    expect(world.types(world.review('p1'))).toEqual(['unanswered']);
    expect(world.records.at(-1)?.envelope).toMatchObject({
      kind: 'system.notice',
      payload: { notice: 'unanswered', unansweredBy: ['trusted'] },
    });
    expect(world.types(world.review('p1'))).toEqual([]);
    expect(nextDeadline(world.proposal('p1'))).toBeUndefined();
    expect(world.types(world.send(fulfil('f1', 'p1', { from: 'other' })))).toEqual(['fulfilled']);
  });

  it.each([
    ['a rejection', reject('r1', 'p1', 'trusted', 'busy')],
    ['a status', status('second')],
  ])('O-48: %s is an answer', (_, answer) => {
    const world = createWorld(PEOPLE);
    world.send(propose('p1', asking));
    world.send(answer);
    expect(nextDeadline(world.proposal('p1'))).toBeUndefined();
    world.now += 5_000;
    expect(world.types(world.review('p1'))).toEqual([]);
  });

  it('O-48: a status of the proposer itself is none', () => {
    const world = createWorld(PEOPLE);
    world.send(propose('p1', asking));
    world.send(status('agent'));
    world.now += 5_000;
    expect(world.types(world.review('p1'))).toEqual(['unanswered']);
  });
});

it.each([
  [{ request_bids: true, bid_timeout: 3_000 }, ['request_bids', 'bid_timeout']],
  [{ request_response: true }, ['request_response']],
  [{ response_timeout: 5_000 }, ['response_timeout']],
])('O-48: %j has no effect, and a notice says so', (options, unused) => {
  const world = createWorld(PEOPLE);
  expect(world.types(world.send(propose('p1', options)))).toEqual(['proposed', 'options_unused']);
  expect(world.records.at(-1)?.envelope.payload).toMatchObject({ notice: 'options_unused', options: unused });
  expect(world.types(world.send(fulfil('f1', 'p1', { from: 'other' })))).toEqual(['fulfilled']);
});
