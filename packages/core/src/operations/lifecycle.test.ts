import { describe, expect, it } from 'vitest';
import {
  answer,
  chat,
  createWorld,
  fulfil,
  message,
  propose,
  reject,
  status,
  withdraw,
} from './testing/world.js';

describe('O-11: fulfilment is a plain request about the same operation', () => {
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

  it('O-11: a request that refers to several messages fulfils none', () => {
    const world = createWorld();
    world.send(propose('p1'));
    world.send(propose('p2'));
    const decision = world.send({ ...fulfil('f1', 'p1'), correlationId: ['p1', 'p2'] });
    expect(world.types(decision)).toEqual(['said']);
  });
});

describe('O-12: the first fulfilment wins', () => {
  it('O-12: a second fulfilment is refused and told who won', () => {
    const world = createWorld(['agent', 'reviewer', 'second', 'tools']);
    world.send(propose('p1'));
    world.now = 1_000_500;
    world.send(fulfil('f1', 'p1'));
    const decision = world.send(fulfil('f2', 'p1', { from: 'second' }));
    expect(decision.refused).toMatchObject({
      code: 'proposal_not_pending',
      details: { proposal: 'p1', state: 'fulfilled', by: 'reviewer', at: 1_000_500 },
    });
    expect(decision.refused?.message).toContain('fulfilled by "reviewer"');
  });

  it.each([
    ['withdrawn', (world: ReturnType<typeof createWorld>) => world.send(withdraw('w1', 'p1'))],
    ['expired', (world: ReturnType<typeof createWorld>) => void (world.now += 60_000)],
  ])('O-12: a %s proposal is not fulfilled, even before a timer has said so', (state, end) => {
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

  it('O-25: the record of a fulfilment has the digest of what was proposed and of what was run', () => {
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

  it('O-25: the digest does not depend on the order of keys', () => {
    const world = createWorld();
    world.send(propose('p1', { params: { name: 'write_file', arguments: { a: 1, b: 2 } } }));
    world.send(propose('p2', { params: { arguments: { b: 2, a: 1 }, name: 'write_file' } }));
    expect(world.proposal('p1').digest).toBe(world.proposal('p2').digest);
    expect(world.proposal('p1').digest).toMatch(/^sha256:[0-9a-f]{64}$/);
  });
});

describe('O-15: only the proposer withdraws', () => {
  it('O-15: withdraws at once, with the reason kept', () => {
    const world = createWorld();
    world.send(propose('p1'));
    world.send(withdraw('w1', 'p1'));
    expect(world.proposal('p1')).toMatchObject({
      phase: 'withdrawn',
      withdrawal: { reason: 'changed my mind' },
    });
  });

  it('O-15: somebody else is refused with the name of the proposer', () => {
    const world = createWorld();
    world.send(propose('p1'));
    const decision = world.send(withdraw('w1', 'p1', 'reviewer'));
    expect(decision.refused).toMatchObject({ code: 'not_proposer', details: { proposer: 'agent' } });
    expect(world.proposal('p1').phase).toBe('pending');
  });

  it('O-15: a batch withdraws each, as one message per proposal', () => {
    const world = createWorld();
    for (const id of ['p1', 'p2', 'p3']) world.send(propose(id));
    world.send(fulfil('f2', 'p2'));
    const decision = world.send(withdraw('w1', ['p1', 'p2', 'p3']));
    expect(decision.appends?.map(({ stream }) => stream)).toEqual(['main/proposal/p1', 'main/proposal/p3']);
    expect(world.records.slice(-2).map(({ envelope }) => [envelope.id, envelope.correlationId])).toEqual([
      ['w1#1', 'p1'],
      ['w1#3', 'p3'],
    ]);
  });

  it('O-15, O-3: a batch that was cut off half way goes on when it is sent again', () => {
    const world = createWorld();
    world.send(propose('p1'));
    world.send(propose('p2'));
    world.send({ ...withdraw('w1#1', 'p1') });
    expect(world.types(world.send(withdraw('w1', ['p1', 'p2'])))).toEqual(['withdrawn']);
    expect(world.proposal('p2').phase).toBe('withdrawn');
    expect(world.send(withdraw('w1', ['p1', 'p2'])).unchanged).toBe('duplicate');
  });

  it('O-15: a batch with somebody else’s proposal is refused as a whole', () => {
    const world = createWorld();
    world.send(propose('p1'));
    world.send(propose('p2', {}, {}, 'reviewer'));
    expect(world.send(withdraw('w1', ['p1', 'p2'])).refused?.code).toBe('not_proposer');
    expect(world.proposal('p1').phase).toBe('pending');
  });

  it('O-15: a batch whose id leaves no room for its parts is refused', () => {
    const world = createWorld();
    world.send(propose('p1'));
    world.send(propose('p2'));
    const decision = world.send(withdraw('w'.repeat(124), ['p1', 'p2']));
    expect(decision.refused).toMatchObject({ code: 'invalid_field', details: { field: 'id' } });
  });
});

describe('O-16: what comes too late is ignored in silence', () => {
  it.each([
    ['withdrawal', () => withdraw('m1', 'p1')],
    ['rejection', () => reject('m1', 'p1')],
    ['status', () => status('m1', 'p1', 'considering')],
  ])('O-16: a %s after the fulfilment has no effect and no error', (_, late) => {
    const world = createWorld();
    world.send(propose('p1'));
    world.send(fulfil('f1', 'p1'));
    const before = world.records.length;
    expect(world.send(late())).toEqual({ unchanged: 'late' });
    expect(world.records).toHaveLength(before);
  });

  it.each([
    ['withdrawal', () => withdraw('m1', 'nope')],
    ['rejection', () => reject('m1', 'nope')],
    ['status', () => status('m1', 'nope', 'considering')],
  ])('O-16: a %s of an unknown proposal is refused', (_, unknown) => {
    const { refused } = createWorld().send(unknown());
    expect(refused).toMatchObject({ code: 'unknown_proposal', details: { proposals: ['nope'] } });
  });
});

describe('O-17: rejections', () => {
  it('O-17: anybody may reject, addressed or not; it is recorded beside the state', () => {
    const world = createWorld();
    world.send(propose('p1', {}, { to: ['tools'] }));
    world.send(reject('r1', 'p1', 'reviewer', 'not on a Friday'));
    expect(world.proposal('p1').phase).toBe('pending');
    expect(world.proposal('p1').rejections.get('reviewer')).toEqual({
      reason: 'not on a Friday',
      at: world.now,
    });
  });

  it('O-17: the proposer is told to withdraw instead', () => {
    const world = createWorld();
    world.send(propose('p1'));
    expect(world.send(reject('r1', 'p1', 'agent')).refused?.code).toBe('use_withdraw');
  });

  it('O-17: one who rejected may still change its mind and fulfil', () => {
    const world = createWorld();
    world.send(propose('p1', {}, { to: ['reviewer'] }));
    world.send(reject('r1', 'p1'));
    expect(world.types(world.send(fulfil('f1', 'p1')))).toEqual(['fulfilled']);
  });
});

describe('O-14, O-23: the answer', () => {
  it('O-14: settles the proposal', () => {
    const world = createWorld();
    world.send(propose('p1'));
    world.send(fulfil('f1', 'p1'));
    world.send(answer('a1', 'f1'));
    expect(world.proposal('p1')).toMatchObject({ phase: 'settled', outcome: { result: 'ok', by: 'tools' } });
  });

  it.each([
    ['a JSON-RPC error', { error: { code: -32_000, message: 'disk full' } }],
    ['a tool result that says so', { result: { isError: true, content: [] } }],
  ])('O-14: %s settles it as an error', (_, payload) => {
    const world = createWorld();
    world.send(propose('p1'));
    world.send(fulfil('f1', 'p1'));
    world.send(answer('a1', 'f1', payload));
    expect(world.proposal('p1').outcome?.result).toBe('error');
  });

  it('I-4: only the executor answers', () => {
    const world = createWorld();
    world.send(propose('p1'));
    world.send(fulfil('f1', 'p1'));
    const { refused } = world.send(answer('a1', 'f1', { result: {} }, 'agent'));
    expect(refused).toMatchObject({ code: 'not_executor', details: { executors: ['tools'] } });
  });

  it('O-14: a second answer is late', () => {
    const world = createWorld();
    world.send(propose('p1'));
    world.send(fulfil('f1', 'p1'));
    world.send(answer('a1', 'f1'));
    expect(world.send(answer('a2', 'f1')).unchanged).toBe('late');
  });

  it('O-23: when the executor leaves without answering the outcome is unknown, once', () => {
    const world = createWorld();
    world.send(propose('p1'));
    world.send(fulfil('f1', 'p1'));
    world.present.delete('tools');
    expect(world.types(world.review('p1'))).toEqual(['outcome_unknown']);
    expect(world.types(world.review('p1'))).toEqual([]);
    expect(world.proposal('p1').outcome).toMatchObject({ result: 'unknown', cause: 'executor_left' });
    expect(world.records.at(-1)?.envelope).toMatchObject({
      kind: 'system.notice',
      from: 'system:gateway',
      correlationId: 'p1',
      payload: { notice: 'outcome_unknown', cause: 'executor_left', executor: 'tools', request: 'f1' },
    });
  });

  it('O-23: when no answer comes within the limit of the space the outcome is unknown', () => {
    const world = createWorld(undefined, { answerTimeout: 5_000 });
    world.send(propose('p1'));
    world.send(fulfil('f1', 'p1'));
    world.now += 4_999;
    expect(world.types(world.review('p1'))).toEqual([]);
    world.now += 1;
    expect(world.types(world.review('p1'))).toEqual(['outcome_unknown']);
  });

  it('O-23: an unknown outcome is never run again, and a late answer makes it known', () => {
    const world = createWorld();
    world.send(propose('p1'));
    world.send(fulfil('f1', 'p1'));
    world.present.delete('tools');
    world.review('p1');
    world.present.add('tools');
    expect(world.send(fulfil('f2', 'p1')).refused?.code).toBe('proposal_not_pending');
    expect(world.types(world.send(answer('a1', 'f1')))).toEqual(['answered']);
    expect(world.proposal('p1').outcome).toMatchObject({ result: 'ok' });
  });

  it('O-23: a notification has no answer, so its outcome does not become unknown', () => {
    const world = createWorld();
    const payload = { method: 'notifications/cancelled', params: { requestId: 1 } };
    world.send(message('agent', 'p1', 'mcp.proposal.notifications/cancelled', payload));
    const extra = { correlationId: 'p1', to: ['tools'] };
    world.send(message('reviewer', 'f1', 'mcp.request.notifications/cancelled', payload, extra));
    world.present.delete('tools');
    world.now += 86_400_000;
    expect(world.types(world.review('p1'))).toEqual([]);
    expect(world.proposal('p1').phase).toBe('fulfilled');
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

describe('O-3: ids', () => {
  it('O-3: the same message again has no effect and names the first one', () => {
    const world = createWorld();
    world.send(propose('p1'));
    world.send(fulfil('f1', 'p1'));
    const again = world.send({ ...fulfil('f1', 'p1'), ts: '2026-01-01T00:00:09Z' });
    expect(again).toMatchObject({
      unchanged: 'duplicate',
      original: { stream: 'main/proposal/p1', version: 2 },
    });
  });

  it('O-3: a fulfilment that left the executor to the gateway is recognised too', () => {
    const world = createWorld();
    world.send(message('tools', 'n1', 'mcpx.announce.tools', { tools: [{ name: 'write_file' }] }));
    world.send(propose('p1'));
    world.send(fulfil('f1', 'p1', { to: [] }));
    expect(world.send(fulfil('f1', 'p1', { to: [] })).unchanged).toBe('duplicate');
  });

  it.each([
    ['other content', chat('c1', 'agent', 'something else')],
    ['another sender', chat('c1', 'reviewer', 'hello')],
  ])('O-3: the same id with %s is a conflict', (_, second) => {
    const world = createWorld();
    world.send(chat('c1', 'agent', 'hello'));
    expect(world.send(second).refused).toMatchObject({ code: 'id_conflict', details: { found: 'c1' } });
  });

  it('O-3: the window for other messages ends, the one for proposals does not', () => {
    const world = createWorld(undefined, { dedupWindow: 1_000 });
    world.send(chat('c1', 'agent', 'hello'));
    world.send(propose('p1'));
    world.now += 1_000;
    expect(world.types(world.send(chat('c1', 'agent', 'hello again')))).toEqual(['said']);
    expect(world.send(propose('p1')).unchanged).toBe('duplicate');
    expect(world.send(propose('p1', { params: { name: 'write_file' } })).refused?.code).toBe('id_conflict');
    expect(world.send(chat('p1', 'agent', 'hello')).refused?.code).toBe('id_conflict');
  });

  it('O-3: ids are forgotten only after the whole window', () => {
    const world = createWorld(undefined, { dedupWindow: 1_000 });
    for (let step = 0; step < 50; step++) {
      world.send(chat(`c${step}`, 'agent', 'hello'));
      for (let back = 0; back <= step; back++) {
        const repeated = world.send(chat(`c${step - back}`, 'agent', 'hello')).unchanged;
        if (back * 130 < 1_000) expect(repeated).toBe('duplicate');
      }
      world.now += 130;
    }
  });
});
