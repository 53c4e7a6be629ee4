import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../json/json.js';
import { decodeSpace, encodeSpace } from '../snapshot/index.js';
import { emptySpace, evolveSpace } from '../space/space.js';
import { viewSpace } from '../space/space-view.js';
import { chat, createWorld, grant, message, propose, type World, withdraw } from '../testing/world.js';

const pause = (id: string, to: readonly string[] = ['agent'], payload: JsonObject = {}, from = 'lead') =>
  message(from, id, 'participant.pause', payload, { to });
const resume = (id: string, from = 'lead', to: readonly string[] = ['agent']) =>
  message(from, id, 'participant.resume', {}, { to });

function world(): World {
  const made = createWorld(['agent', 'reviewer', 'lead', 'peer']);
  made.capabilities.set('lead', ['participant/pause']);
  made.capabilities.set('peer', ['participant/*', 'chat.*']);
  made.capabilities.set('agent', ['participant/*', 'chat.*', 'mcp.proposal.*']);
  return made;
}

const code = (decision: ReturnType<World['send']>) => decision.refused?.code;

describe('a paused participant', () => {
  it('O-54: begins nothing new until it is resumed, and may end and answer', () => {
    const space = world();
    space.take(propose('p1'));
    expect(space.types(space.take(pause('x1', ['agent'], { reason: 'too fast' })))).toEqual([
      'participant_paused',
    ]);
    const refused = space.send(chat('c1', 'agent', 'hello')).refused;
    expect(refused).toMatchObject({ code: 'paused', details: { by: 'lead', reason: 'too fast' } });
    expect(refused?.message).toContain('lead paused "agent": too fast.');
    expect(code(space.send(propose('p2')))).toBe('paused');
    expect(code(space.send(message('agent', 'r1', 'mcp.request.tools/list', {})))).toBe('paused');
    expect(space.types(space.send(withdraw('w1', 'p1')))).toEqual(['withdrawn']);
    for (const kind of ['participant.status', 'chat.acknowledge', 'reasoning.cancel', 'mcp.response'])
      expect(space.types(space.send(message('agent', `m-${kind}`, kind, {})))).toEqual(['said']);
    space.take(resume('x2', 'reviewer'));
    expect(space.types(space.send(chat('c2', 'agent', 'hello')))).toEqual(['said']);
  });

  it('O-3, O-54: a repeated message is still a duplicate', () => {
    const space = world();
    space.take(chat('c1', 'agent', 'hello'));
    space.take(pause('x1'));
    expect(space.send(chat('c1', 'agent', 'hello')).unchanged).toBe('duplicate');
    expect(space.send(pause('x1')).unchanged).toBe('duplicate');
  });

  it('O-54: goes on by itself when the time is over, and may say so', () => {
    const space = world();
    space.take(pause('x1', ['agent'], { timeout_seconds: 2.5 }));
    space.now += 2_499;
    expect(code(space.send(chat('c1', 'agent', 'early')))).toBe('paused');
    expect(space.types(space.send(resume('x2', 'agent', ['lead'])))).toEqual(['said']);
    expect(code(space.send(chat('c1', 'agent', 'early')))).toBe('paused');
    space.now += 1;
    expect(space.types(space.send(chat('c2', 'agent', 'in time')))).toEqual(['said']);
  });

  it('O-52, O-54: goes on when whoever paused it is removed', () => {
    const space = world();
    space.take(pause('x1'));
    space.take(message('reviewer', 'k1', 'mcpx.kick.participant', { participant: 'lead' }));
    expect(space.types(space.send(chat('c1', 'agent', 'hello')))).toEqual(['said']);
  });

  it('I-3, O-54: stays paused through a replay and a snapshot', () => {
    const space = world();
    space.take(pause('x1', ['agent'], { timeout_seconds: 60 }));
    const { settings } = space.space;
    const replayed = space.records.reduce(evolveSpace, emptySpace(settings));
    expect(viewSpace(replayed)).toEqual(viewSpace(space.space));
    const decoder = decodeSpace(settings, () => false);
    for (const part of encodeSpace(space.space)) decoder.take(JSON.parse(JSON.stringify(part)));
    expect(decoder.end().participants.get('agent')?.pause).toEqual({
      by: 'lead',
      at: space.now,
      until: space.now + 60_000,
    });
  });
});

describe('who may pause', () => {
  it('O-44, O-54: without a capability that names the kind, it is a message like any other', () => {
    const space = world();
    expect(space.types(space.take(pause('x1', ['agent'], {}, 'peer')))).toEqual(['said']);
    expect(space.types(space.take(chat('c1', 'agent', 'hello')))).toEqual(['said']);
    space.take(pause('x2'));
    expect(code(space.take(resume('x3', 'peer')))).toBe('capability_violation');
    expect(code(space.take(chat('c2', 'agent', 'hello')))).toBe('paused');
  });

  it('O-41, O-54: a grant lets nobody pause', () => {
    const space = world();
    space.take(grant('g1', ['participant.pause'], { to: 'agent' }));
    expect(code(space.take(pause('x1', ['peer'], {}, 'agent')))).toBeUndefined();
    expect(space.space.participants.get('peer')?.pause).toBeUndefined();
  });

  it('O-54: one participant at a time, who takes part, and not oneself', () => {
    const space = world();
    expect(code(space.take(pause('x1', [])))).toBe('invalid_field');
    expect(code(space.take(pause('x1', ['agent', 'peer'])))).toBe('invalid_field');
    expect(code(space.take(pause('x1', ['lead'])))).toBe('invalid_field');
    expect(code(space.take(pause('x1', ['nobody'])))).toBe('participant_not_found');
  });

  it('O-54: one who may pause is paused only by one who may do everything, and does not resume itself', () => {
    const space = world();
    space.capabilities.set('deputy', ['participant/pause', 'participant/resume', 'chat.*']);
    space.present.add('deputy');
    expect(code(space.take(pause('x1', ['deputy'])))).toBe('not_pausable');
    expect(space.types(space.take(pause('x1', ['deputy'], {}, 'reviewer')))).toEqual(['participant_paused']);
    expect(code(space.take(resume('x2', 'deputy', ['deputy'])))).toBe('invalid_field');
    expect(code(space.take(chat('c1', 'deputy', 'hello')))).toBe('paused');
  });
});
