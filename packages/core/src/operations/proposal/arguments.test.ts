import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../json/json.js';
import { createWorld, fulfil, message, propose } from '../testing/world.js';

const FAULT = { path: '/arguments/path', expected: 'a string', found: 'nothing' };

/** Knows one schema, in which arguments need a path; any other is uncheckable. */
function checkingWorld(settings: Parameters<typeof createWorld>[1] = {}) {
  const world = createWorld(['agent', 'reviewer', 'tools', 'other'], settings);
  world.checkArguments = ({ required }, args) => {
    if (required === undefined) return { unchecked: 'It refers to something outside itself.' };
    return { faults: Object.hasOwn(args as JsonObject, 'path') ? [] : [FAULT] };
  };
  return world;
}

const serve = (id: string, from: string, inputSchema: JsonObject | undefined) =>
  message(from, id, 'mcpx.announce.tools', { tools: [{ name: 'write_file', inputSchema }] });

const NEEDS_PATH = { type: 'object', required: ['path'] };
const WRONG = { name: 'write_file', arguments: { text: 'hello' } };
const RIGHT = { name: 'write_file', arguments: { path: '/a' } };

describe('O-39: arguments are checked against the announced schema', () => {
  it('O-39: when proposing: a mismatch is refused with the place, what was expected and what was found', () => {
    const world = checkingWorld();
    world.send(serve('n1', 'tools', NEEDS_PATH));
    expect(world.send(propose('p1', { params: WRONG })).refused).toMatchObject({
      code: 'invalid_arguments',
      details: { ...FAULT, faults: [FAULT] },
    });
    world.send(propose('p2', { params: RIGHT }));
    expect(world.records.at(-1)?.facts).toMatchObject({ arguments: 'valid' });
  });

  it('O-39: when amending: the proposal stays pending', () => {
    const world = checkingWorld();
    world.send(serve('n1', 'tools', NEEDS_PATH));
    world.send(propose('p1', { params: RIGHT }));
    expect(world.send(fulfil('f1', 'p1', { params: WRONG })).refused?.code).toBe('invalid_arguments');
    expect(world.proposal('p1').phase).toBe('pending');
  });

  it('O-39: when approving: by the schema known then', () => {
    const world = checkingWorld();
    world.send(propose('p1', { params: WRONG }));
    expect(world.records.at(-1)?.facts).not.toHaveProperty('arguments');
    world.send(serve('n1', 'tools', NEEDS_PATH));
    expect(world.send(fulfil('f1', 'p1', { params: WRONG })).refused?.code).toBe('invalid_arguments');
    expect(world.types(world.send(fulfil('f2', 'p1', { params: RIGHT })))).toEqual(['fulfilled']);
  });

  it('O-39: a space may allow them, marked for the reviewer', () => {
    const world = checkingWorld({ arguments: 'mark' });
    world.send(serve('n1', 'tools', NEEDS_PATH));
    world.send(propose('p1', { params: WRONG }));
    expect(world.proposal('p1').argumentFaults).toEqual([FAULT]);
    world.send(fulfil('f1', 'p1', { params: WRONG }));
    expect(world.records.at(-1)?.facts).toMatchObject({ arguments: 'invalid', argumentFaults: [FAULT] });
  });

  it('O-39: only if exactly one schema is known', () => {
    const world = checkingWorld();
    world.send(serve('n1', 'tools', NEEDS_PATH));
    world.send(serve('n2', 'other', { type: 'object' }));
    expect(world.types(world.send(propose('p1', { params: WRONG })))).toEqual(['proposed']);
    world.send(serve('n3', 'other', { required: ['path'], type: 'object' }));
    expect(world.send(propose('p2', { params: WRONG })).refused?.code).toBe('invalid_arguments');
  });

  it("O-39: the named executor's schema counts, if there is one", () => {
    const world = checkingWorld();
    world.send(serve('n1', 'tools', NEEDS_PATH));
    world.send(serve('n2', 'other', undefined));
    const decision = world.send(propose('p1', { params: WRONG, executor: 'tools' }));
    expect(decision.refused?.code).toBe('invalid_arguments');
    expect(world.types(world.send(propose('p2', { params: WRONG, executor: 'other' })))).toEqual([
      'proposed',
    ]);
  });

  it('O-39: uncheckable arguments are marked as unchecked', () => {
    const world = checkingWorld();
    world.send(serve('n1', 'tools', { $ref: 'https://example.com/schema' }));
    world.send(propose('p1', { params: WRONG }));
    expect(world.records.at(-1)?.facts).toMatchObject({ arguments: 'unchecked' });
  });
});
