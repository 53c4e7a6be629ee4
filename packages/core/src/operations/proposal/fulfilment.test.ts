import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../json/json.js';
import { answer, createWorld, fulfil, message, propose, withdraw } from '../testing/world.js';

describe('O-11: fulfilment is a plain request for the same operation', () => {
  it('O-11: fulfils with the same method and tool', () => {
    const world = createWorld();
    world.send(propose('p1'));
    expect(world.types(world.send(fulfil('f1', 'p1')))).toEqual(['fulfilled']);
    expect(world.proposal('p1')).toMatchObject({
      phase: 'fulfilled',
      fulfilment: { by: 'reviewer', request: 'f1' },
    });
  });

  it.each([
    ['another tool', { params: { name: 'read_file', arguments: {} } }, 'mcp.request.tools/call'],
    ['another method', { method: 'tools/list', params: {} }, 'mcp.request.tools/list'],
  ])('O-11: a request for %s only refers to the proposal', (_, payload, kind) => {
    const world = createWorld();
    world.send(propose('p1'));
    const request = message(
      'reviewer',
      'r1',
      kind,
      { method: 'tools/call', ...payload },
      { correlationId: 'p1' },
    );
    expect(world.types(world.send(request))).toEqual(['said']);
    expect(world.proposal('p1').phase).toBe('pending');
  });

  it('O-11, O-12: a fulfilling request that refers to more than one proposal is refused, so that nothing runs unlinked', () => {
    const world = createWorld();
    world.send(propose('p1'));
    const decision = world.send({ ...fulfil('f1', 'p1'), correlationId: ['p1', 'zzz'] });
    expect(decision.refused).toMatchObject({ code: 'invalid_field', details: { field: 'correlationId' } });
    expect(world.proposal('p1').phase).toBe('pending');
  });

  it('O-12: the id of a fulfilment stays taken while its answer may arrive, even after the dedup window', () => {
    const world = createWorld(undefined, { dedupWindow: 1_000, answerTimeout: 60_000 });
    world.send(propose('p1'));
    world.send(propose('p2'));
    world.send(fulfil('f1', 'p1'));
    world.now += 2_000;
    expect(world.send(fulfil('f1', 'p2')).refused?.code).toBe('id_conflict');
    world.send(answer('a1', 'f1'));
    expect(world.proposal('p1').phase).toBe('settled');
    expect(world.proposal('p2').phase).toBe('pending');
  });
});

describe('O-12: the first fulfilment wins', () => {
  it('O-12: a second fulfilment is refused and names the winner', () => {
    const world = createWorld(['agent', 'reviewer', 'second', 'tools']);
    world.send(propose('p1'));
    world.now = 1_000_500;
    world.send(fulfil('f1', 'p1'));
    const decision = world.send(fulfil('f2', 'p1', { from: 'second' }));
    expect(decision.refused).toMatchObject({
      code: 'proposal_not_pending',
      details: { proposal: 'p1', state: 'fulfilled', by: 'reviewer', at: 1_000_500 },
    });
    expect(decision.refused?.message).toContain('approved by "reviewer"');
  });

  it.each([
    ['withdrawn', (world: ReturnType<typeof createWorld>) => world.send(withdraw('w1', 'p1'))],
    ['expired', (world: ReturnType<typeof createWorld>) => void (world.now += 60_000)],
  ])('O-12: a %s proposal is not fulfilled, even before a timer has recorded that', (state, end) => {
    const world = createWorld();
    world.send(propose('p1', { ttl: 60_000 }));
    end(world);
    expect(world.send(fulfil('f1', 'p1')).refused).toMatchObject({
      code: 'proposal_not_pending',
      details: { state },
    });
  });
});

describe('O-13, O-25: amendments and digests', () => {
  it('O-13: records what the fulfiller changed', () => {
    const world = createWorld();
    world.send(propose('p1'));
    const params = { name: 'write_file', arguments: { path: '/tmp/b', text: 'hello', mode: 'append' } };
    world.send(fulfil('f1', 'p1', { params }));
    expect(world.proposal('p1').fulfilment?.amendment).toEqual([
      { path: '/arguments/mode', after: 'append' },
      { path: '/arguments/path', before: '/tmp/a', after: '/tmp/b' },
    ]);
  });

  it("O-25: a fulfilment's record has the digests of what was proposed and what ran", () => {
    const world = createWorld();
    world.send(propose('p1'));
    world.send(propose('p2'));
    world.send(fulfil('f1', 'p1'));
    world.send(fulfil('f2', 'p2', { params: { name: 'write_file', arguments: {} } }));
    const facts = world.records.filter(({ type }) => type === 'fulfilled').map((record) => record.facts);
    expect(facts[0]).toMatchObject({ proposedDigest: world.proposal('p1').digest });
    expect(facts[0]).toMatchObject({ ranDigest: world.proposal('p1').digest, amendment: [] });
    expect(facts[1]).toMatchObject({ proposedDigest: world.proposal('p2').digest });
    expect(facts[1]).not.toMatchObject({ ranDigest: world.proposal('p2').digest });
  });

  it('O-25: a request with a digest runs exactly that, or nothing', () => {
    const world = createWorld();
    world.send(propose('p1'));
    const params = { name: 'write_file', arguments: { path: '/tmp/b' } };
    world.send(propose('amended', { params }));
    const shown = world.proposal('p1').digest;
    const say = (id: string, digest: JsonValue, changed?: JsonObject) => {
      const request = fulfil(id, 'p1', changed === undefined ? {} : { params: changed });
      return world.send({ ...request, payload: { ...request.payload, digest } });
    };
    for (const [digest, changed] of [
      ['sha256:00', undefined],
      [7, undefined],
      [shown, params],
    ] as const) {
      expect(say('f1', digest, changed).refused).toMatchObject({
        code: 'digest_mismatch',
        details: { field: 'digest', found: digest, proposal: 'p1' },
      });
      expect(world.proposal('p1').phase).toBe('pending');
    }
    expect(world.types(say('f2', world.proposal('amended').digest, params))).toEqual(['fulfilled']);
  });

  it('O-25: the digest does not depend on key order', () => {
    const world = createWorld();
    world.send(propose('p1', { params: { name: 'write_file', arguments: { a: 1, b: 2 } } }));
    world.send(propose('p2', { params: { arguments: { b: 2, a: 1 }, name: 'write_file' } }));
    expect(world.proposal('p1').digest).toBe(world.proposal('p2').digest);
    expect(world.proposal('p1').digest).toMatch(/^sha256:[0-9a-f]{64}$/);
  });
});

describe('O-24: the proposer does not fulfil its own proposal', () => {
  it('O-24: is refused', () => {
    const world = createWorld();
    world.send(propose('p1'));
    expect(world.send(fulfil('f1', 'p1', { from: 'agent' })).refused?.code).toBe('self_fulfilment');
  });

  it('O-24: unless the space allows it', () => {
    const world = createWorld(undefined, { selfFulfilment: true });
    world.send(propose('p1'));
    expect(world.types(world.send(fulfil('f1', 'p1', { from: 'agent' })))).toEqual(['fulfilled']);
  });
});
