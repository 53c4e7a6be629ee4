import { expect, it } from 'vitest';
import { refuse } from '../../refusal/refusal.js';
import { announce, createWorld, fulfil, propose } from '../testing/world.js';
import { errorPayload, presencePayload, WELCOME_PROPOSALS, welcomePayload } from './system-payloads.js';

const you = { name: 'reviewer', capabilities: ['mcp.*', 'chat.message'] };
const others = [{ name: 'tools', capabilities: ['mcp.response.*'] }];

it('O-27: the welcome says who you are, who else is here, what is pending and where you are', () => {
  const world = createWorld();
  world.send(announce('n1', 'tools', ['write_file']));
  world.send(propose('p1'));
  world.send(propose('p2'));
  world.send(fulfil('f2', 'p2'));
  const welcome = welcomePayload(world.space, you, { others, seq: 17 });
  expect(welcome).toMatchObject({
    space: 'main',
    you: { id: 'reviewer', capabilities: ['mcp.*', 'chat.message'] },
    participants: [{ id: 'tools', serves: { tools: [{ name: 'write_file' }] } }],
    pending: [{ id: 'p1', phase: 'pending', proposer: 'agent', method: 'tools/call' }],
    morePending: 0,
    seq: 17,
  });
});

it('O-27: a welcome stays small, and says how much it leaves out', () => {
  const world = createWorld();
  for (let count = 0; count < WELCOME_PROPOSALS + 7; count++) world.send(propose(`p${count}`));
  const { pending, morePending } = welcomePayload(world.space, you, { others, seq: 1 });
  expect(pending).toHaveLength(WELCOME_PROPOSALS);
  expect(morePending).toBe(7);
});

it('O-26: presence says what a participant serves', () => {
  const world = createWorld();
  world.send(announce('n1', 'tools', ['write_file']));
  expect(presencePayload(world.space, 'join', { name: 'tools', capabilities: [] })).toEqual({
    event: 'join',
    participant: { id: 'tools', capabilities: [], serves: { tools: [{ name: 'write_file' }] } },
  });
});

it('O-5: an error has the code, a sentence and the facts, and the facts cannot replace the code', () => {
  const refusal = refuse('invalid_field', 'x is wrong.', { field: 'x', error: 'forged', message: 'forged' });
  expect(errorPayload(refusal)).toEqual({ field: 'x', error: 'invalid_field', message: refusal.message });
});

it('O-21, O-27: a welcome does not reveal restricted proposals of others', () => {
  const world = createWorld(undefined, { visibility: 'addressed' });
  world.send(propose('p1', {}, { to: ['tools'] }));
  world.send(propose('p2'));
  const pendingFor = (name: string) =>
    welcomePayload(world.space, { name, capabilities: [] }, { others, seq: 1 })['pending'];
  expect(pendingFor('reviewer')).toMatchObject([{ id: 'p2' }]);
  expect(pendingFor('tools')).toMatchObject([{ id: 'p1' }, { id: 'p2' }]);
});
