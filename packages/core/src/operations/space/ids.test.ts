import { describe, expect, it } from 'vitest';
import { chat, createWorld, fulfil, message, propose } from '../testing/world.js';

describe('O-3: ids', () => {
  it('O-3: a repeated message has no effect and names the first one', () => {
    const world = createWorld();
    world.send(propose('p1'));
    world.send(fulfil('f1', 'p1'));
    const again = world.send({ ...fulfil('f1', 'p1'), ts: '2026-01-01T00:00:09Z' });
    expect(again).toMatchObject({
      unchanged: 'duplicate',
      originals: [{ stream: 'main/proposal/p1', version: 2 }],
    });
  });

  it('O-3: a repeated fulfilment without an executor is recognised, too', () => {
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

  it.each([
    ['an empty `to`', { to: [] }, {}],
    ['a list of one', { correlationId: ['c0'] }, { correlationId: 'c0' }],
  ])('O-3: %s says the same as the other spelling', (_, first, second) => {
    const world = createWorld();
    world.send(chat('c1', 'agent', 'hello', first));
    expect(world.send(chat('c1', 'agent', 'hello', second)).unchanged).toBe('duplicate');
  });

  it('O-3: a kind without the tool says the same as one that names it', () => {
    const world = createWorld();
    world.send(propose('p1'));
    expect(world.send({ ...propose('p1'), kind: 'mcp.proposal.tools/call' }).unchanged).toBe('duplicate');
  });

  it.each([
    ['to', { to: ['tools'] }],
    ['correlationId', { correlationId: 'c9' }],
  ])('O-3: a different %s is a different message', (_, changed) => {
    const world = createWorld();
    world.send(chat('c1', 'agent', 'hello', { to: ['reviewer'], correlationId: 'c0' }));
    const second = chat('c1', 'agent', 'hello', { to: ['reviewer'], correlationId: 'c0', ...changed });
    expect(world.send(second).refused?.code).toBe('id_conflict');
  });
});
