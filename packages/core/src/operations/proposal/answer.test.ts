import { describe, expect, it } from 'vitest';
import { answer, createWorld, fulfil, message, propose } from '../testing/world.js';

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
    ['a tool result with isError', { result: { isError: true, content: [] } }],
  ])('O-14: %s settles it as an error', (_, payload) => {
    const world = createWorld();
    world.send(propose('p1'));
    world.send(fulfil('f1', 'p1'));
    world.send(answer('a1', 'f1', payload));
    expect(world.proposal('p1').outcome?.result).toBe('error');
  });

  it('O-14: may refer to other messages, and answers one request', () => {
    const world = createWorld();
    for (const id of ['1', '2']) {
      world.send(propose(`p${id}`));
      world.send(fulfil(`f${id}`, `p${id}`));
    }
    const about = (...correlationId: readonly string[]) => ({ ...answer('a1', ''), correlationId });
    expect(world.send(about('f1', 'f2')).refused).toMatchObject({
      code: 'invalid_field',
      details: { field: 'correlationId' },
    });
    world.send(about('c1', 'f1', 'p1'));
    expect(world.proposal('p1').phase).toBe('settled');
    expect(world.proposal('p2').phase).toBe('fulfilled');
  });

  it('I-4: only the executor may give it', () => {
    const world = createWorld();
    world.send(propose('p1'));
    world.send(fulfil('f1', 'p1'));
    const { refused } = world.send(answer('a1', 'f1', { result: {} }, 'agent'));
    expect(refused).toMatchObject({ code: 'not_executor', details: { executors: ['tools'] } });
  });

  it.each(['mcp.response.prompts/get:greet', 'mcp.response.tools/call:read_file'])(
    'O-6: a response of kind %s does not answer a call of another tool',
    (kind) => {
      const world = createWorld();
      world.send(propose('p1'));
      world.send(fulfil('f1', 'p1'));
      expect(world.send({ ...answer('a1', 'f1'), kind }).refused?.code).toBe('kind_mismatch');
      expect(
        world.types(world.send({ ...answer('a1', 'f1'), kind: 'mcp.response.tools/call:write_file' })),
      ).toEqual(['answered']);
    },
  );

  it('O-14: a second one is late', () => {
    const world = createWorld();
    world.send(propose('p1'));
    world.send(fulfil('f1', 'p1'));
    world.send(answer('a1', 'f1'));
    expect(world.send(answer('a2', 'f1')).unchanged).toBe('late');
  });

  it('O-23: if the executor leaves without answering, the outcome is unknown, once', () => {
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

  it('O-23: if the executor reports that it cannot know, the outcome is unknown at once, once', () => {
    const world = createWorld();
    world.send(propose('p1'));
    world.send(fulfil('f1', 'p1'));
    const lost = { error: { code: -32_603, message: 'The server died.', data: { outcome: 'unknown' } } };
    expect(world.types(world.send(answer('a1', 'f1', lost)))).toEqual(['answered', 'outcome_unknown']);
    expect(world.proposal('p1').outcome).toMatchObject({ result: 'unknown', cause: 'executor_lost_it' });
    expect(world.records.at(-1)?.envelope.payload).toMatchObject({
      notice: 'outcome_unknown',
      executor: 'tools',
      request: 'f1',
    });
    expect(world.send(answer('a2', 'f1', lost)).unchanged).toBe('late');
    expect(world.send(fulfil('f2', 'p1')).refused?.code).toBe('proposal_not_pending');
    expect(world.types(world.send(answer('a3', 'f1')))).toEqual(['answered']);
    expect(world.proposal('p1').outcome).toMatchObject({ result: 'ok' });
  });

  it("O-23: without an answer within the space's limit, the outcome is unknown", () => {
    const world = createWorld(undefined, { answerTimeout: 5_000 });
    world.send(propose('p1'));
    world.send(fulfil('f1', 'p1'));
    world.now += 4_999;
    expect(world.types(world.review('p1'))).toEqual([]);
    world.now += 1;
    expect(world.types(world.review('p1'))).toEqual(['outcome_unknown']);
  });

  it('O-23: an unknown outcome is never rerun, and a late answer makes it known', () => {
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
