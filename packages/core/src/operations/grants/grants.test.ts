import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../json/canonical.js';
import { emptySpace, evolveSpace } from '../space/space.js';
import { viewSpace } from '../space/space-view.js';
import { welcomePayload } from '../space/system-payloads.js';
import { announce, chat, createWorld, grant, message, revoke, type World } from '../testing/world.js';
import { grantsInForce } from './grant.js';
import { grantFor } from './use.js';

const WRITE = 'mcp.request.tools/call:write_file';

function world(): World {
  const made = createWorld(['agent', 'reviewer', 'ann', 'tools']);
  made.capabilities.set('agent', ['mcp.proposal.*', 'chat.message']);
  made.capabilities.set('ann', ['mcp.request.tools/call', 'mcpx.grant.capability', 'mcpx.revoke.capability']);
  made.send(announce('n1', 'tools', ['write_file']));
  return made;
}

const call = (id: string, path = '/tmp/a', name = 'write_file') =>
  message('agent', id, `mcp.request.tools/call:${name}`, {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name, arguments: { path } },
  });

const code = (decision: ReturnType<World['send']>) => decision.refused?.code;

describe('a grant', () => {
  it('O-41: lets a participant do what it may not do by itself, and records name the grant', () => {
    const space = world();
    expect(code(space.take(call('m1')))).toBe('capability_violation');
    expect(space.types(space.take(grant('g1', [WRITE])))).toEqual(['granted']);
    expect(space.types(space.take(call('m2')))).toEqual(['said']);
    expect(space.records.at(-1)).toMatchObject({ principal: 'agent', facts: { grant: 'g1' } });
    expect(code(space.take(call('m3', '/tmp/a', 'delete_file')))).toBe('capability_violation');
    // What it may do anyway is based on no grant.
    space.take(chat('m4', 'agent', 'hello'));
    expect(space.records.at(-1)?.facts).not.toHaveProperty('grant');
  });

  it('O-41: does not run a direct call while approvals are paused, and counts no use for it', () => {
    const space = world();
    space.take(grant('g1', [WRITE], { uses: 2 }));
    space.send(message('reviewer', 's1', 'mcpx.pause.approvals', { reason: 'incident' }));
    expect(code(space.take(call('m1')))).toBe('approvals_paused');
    expect(grantsInForce(space.space, space.now)).toMatchObject([{ left: 2 }]);
    space.send(message('reviewer', 's2', 'mcpx.resume.approvals', {}));
    expect(space.types(space.take(call('m2')))).toEqual(['grant_used', 'said']);
  });

  it('O-41: limits uses, each counted before the message that spends it', () => {
    const space = world();
    space.take(grant('g1', [WRITE], { uses: 2 }));
    space.take(call('m1'));
    expect(space.records.slice(-2).map(({ type }) => type)).toEqual(['grant_used', 'said']);
    expect(space.records.at(-2)).toMatchObject({
      principal: 'system:gateway',
      facts: { participant: 'agent', grant: 'g1', message: 'm1', left: 1 },
      envelope: {
        kind: 'system.notice',
        to: ['agent', 'reviewer'],
        payload: { notice: 'grant_used', left: 1 },
      },
    });
    expect(space.types(space.take(call('m2')))).toEqual(['grant_used', 'said']);
    expect(code(space.take(call('m3')))).toBe('capability_violation');
    expect(grantsInForce(space.space, space.now)).toEqual([]);
  });

  it('O-41: ends at a time, given as text, in milliseconds, or relative', () => {
    const ends = [{ until: 1_060_000 }, { until: new Date(1_060_000).toISOString() }, { ttl: 60_000 }];
    for (const end of ends) {
      const space = world();
      space.take(grant('g1', [WRITE], end));
      space.now = 1_059_999;
      expect(space.types(space.take(call('m1')))).toEqual(['said']);
      space.now = 1_060_000;
      expect(code(space.take(call('m2')))).toBe('capability_violation');
    }
    const past = world().take(grant('g1', [WRITE], { until: 999_999 }));
    expect(past.refused).toMatchObject({ code: 'invalid_field', details: { field: 'payload.until' } });
  });

  it('O-41: lasts while the participant is present, by default', () => {
    const space = world();
    space.take(grant('g1', [WRITE]));
    space.take(grant('g2', [WRITE], { uses: 5 }));
    expect(space.types(space.leave('agent'))).toEqual(['grant_ended']);
    expect(grantsInForce(space.space, space.now).map(({ id }) => id)).toEqual(['g2']);
    expect(space.types(space.leave('agent'))).toEqual([]);
    expect(code(space.take(grant('g3', [WRITE])))).toBe('target_not_found');
    expect(space.types(space.take(grant('g4', [WRITE], { until: 2_000_000 })))).toEqual(['granted']);
  });

  it('O-41: an unlimited one is used before a counted one', () => {
    const space = world();
    space.take(grant('g1', [WRITE], { uses: 1 }));
    space.take(grant('g2', [WRITE], { until: 2_000_000 }));
    space.take(call('m1'));
    expect(space.records.at(-1)?.facts).toMatchObject({ grant: 'g2' });
  });

  it('O-8, O-41: respects payload patterns, and those of its granter', () => {
    const space = world();
    const inTmp = { kind: WRITE, payload: { params: { arguments: { path: '/tmp/**' } } } };
    space.take(grant('g1', [inTmp], { uses: 9 }));
    expect(space.types(space.take(call('m1', '/tmp/a')))).toEqual(['grant_used', 'said']);
    expect(code(space.take(call('m2', '/etc/passwd')))).toBe('capability_violation');
    expect(code(space.take(call('m3', '/tmp/../etc/passwd')))).toBe('capability_violation');
  });

  it('O-41: allows no more than its granter may do, then and now', () => {
    const space = world();
    space.take(grant('g1', [WRITE], {}, { from: 'ann' }));
    expect(space.types(space.take(call('m1')))).toEqual(['said']);
    space.capabilities.set('ann', ['chat.message']);
    expect(code(space.take(call('m2')))).toBe('capability_violation');
    space.capabilities.set('ann', ['*']);
    // What the granter gained later is not included.
    space.take(grant('g2', ['mcp.request.*'], {}, { from: 'reviewer' }));
    expect(space.types(space.take(call('m3', '/x', 'delete_file')))).toEqual(['said']);
  });

  it('O-41: stays within what its granter could do when it was granted', () => {
    const space = world();
    space.take(grant('g1', [WRITE], { uses: 9 }, { from: 'ann' }));
    const granted = space.records.at(-1);
    if (granted?.type !== 'granted') throw new Error('nothing was granted');
    const wider = { ...granted, facts: { ...granted.facts, capabilities: ['mcp.request.*'] } };
    const state = evolveSpace(emptySpace(space.space.settings), wider);
    const now = { now: space.now };
    expect(grantFor(state, call('m1'), now)?.id).toBe('g1');
    expect(
      grantFor(state, { ...call('m2'), kind: 'mcp.request.tools/list', payload: {} }, now),
    ).toBeUndefined();
  });

  it('O-27, O-41: is in the welcome of both sides', () => {
    const space = world();
    space.take(grant('g1', [WRITE], { uses: 3, reason: 'for the release' }));
    space.take(call('m1'));
    const seen = (name: string) =>
      welcomePayload(space.space, { name, capabilities: [] }, { others: [], seq: 1, now: space.now })[
        'grants'
      ];
    const shown = [
      {
        id: 'g1',
        granter: 'reviewer',
        to: 'agent',
        capabilities: [WRITE],
        uses: 3,
        left: 2,
        reason: 'for the release',
        at: space.now,
      },
    ];
    expect(seen('agent')).toEqual(shown);
    expect(seen('reviewer')).toEqual(shown);
    expect(seen('ann')).toBeUndefined();
  });

  it('O-41, I-3: replay gives the same state', () => {
    const space = world();
    space.take(grant('g1', [WRITE], { uses: 2 }));
    space.take(grant('g2', [WRITE], { until: 1_001_000 }));
    space.take(call('m1'));
    space.now += 5_000;
    space.take(call('m2'));
    space.take(grant('g3', [WRITE]));
    space.take(revoke('r1', 'g1'));
    const replayed = space.records.reduce(evolveSpace, emptySpace(space.space.settings));
    expect(canonicalJson(viewSpace(replayed))).toBe(canonicalJson(viewSpace(space.space)));
  });
});

describe('granting', () => {
  it.each([
    ['to approve', ['mcpx.approve.proposal']],
    ['to delegate', ['mcpx.delegate.review']],
    ['to grant', ['mcpx.grant.capability']],
    ['to revoke', [WRITE, 'mcpx.revoke.*']],
  ])('O-41, O-44: %s cannot be granted', (_, capabilities) => {
    expect(code(world().take(grant('g1', capabilities)))).toBe('not_grantable');
  });

  it('O-41: not even a plain star includes them', () => {
    const space = world();
    space.take(grant('g1', ['*'], { uses: 9 }));
    const approve = message('agent', 'a1', 'mcpx.approve.proposal', { digest: 'x' }, { correlationId: 'p1' });
    expect(code(space.take(approve))).toBe('capability_violation');
    expect(code(space.take(grant('g2', [WRITE], { uses: 1 }, { from: 'agent', to: 'ann' })))).toBe(
      'capability_violation',
    );
    expect(space.types(space.take(call('m1')))).toEqual(['grant_used', 'said']);
  });

  it("O-41: nothing beyond one's own rights, and not to oneself", () => {
    const space = world();
    const by = { from: 'ann' };
    expect(space.take(grant('g1', ['mcp.request.*'], {}, by)).refused).toMatchObject({
      code: 'not_grantable',
      details: { field: 'payload.capabilities[0]', capability: 'mcp.request.*' },
    });
    expect(code(space.take(grant('g2', ['chat.message'], {}, by)))).toBe('not_grantable');
    expect(space.types(space.take(grant('g3', ['mcp.request.tools/call:write_*'], {}, by)))).toEqual([
      'granted',
    ]);
    expect(code(space.take(grant('g4', [WRITE], {}, { from: 'ann', to: 'ann' })))).toBe('invalid_field');
    expect(space.take(grant('g5', ['mcp.**']))).toMatchObject({
      refused: { code: 'invalid_field', details: { field: 'payload.capabilities[0]' } },
    });
  });

  it('O-41: a participant that may only review grants nothing', () => {
    const space = world();
    space.people.set('reviewer', { reviewOnly: true });
    expect(code(space.take(grant('g1', [WRITE])))).toBe('not_grantable');
  });

  it('O-41: at most a hundred at a time', () => {
    const space = world();
    for (let index = 0; index < 100; index++) space.take(grant(`g${index}`, [WRITE], { until: 1_001_000 }));
    expect(code(space.take(grant('h1', [WRITE])))).toBe('too_many_grants');
    space.now = 1_001_000;
    expect(space.types(space.take(grant('h2', [WRITE])))).toEqual(['granted']);
    expect(space.space.grants.size).toBe(1);
  });

  it('O-3, O-41: repeating a grant is one grant, and its id is taken while it is in force', () => {
    const space = world();
    space.take(grant('g1', [WRITE], { uses: 1 }));
    expect(space.take(grant('g1', [WRITE], { uses: 1 })).unchanged).toBe('duplicate');
    space.now += 700_000;
    expect(code(space.take(grant('g1', [WRITE], { uses: 9 })))).toBe('id_conflict');
  });
});

describe('a revocation', () => {
  it('O-41: by the granter or an operator only, and never of configured capabilities', () => {
    const space = world();
    space.capabilities.set('tools', ['mcpx.revoke.capability']);
    space.take(grant('g1', [WRITE], {}, { from: 'ann' }));
    space.take(grant('g2', [WRITE], {}, { from: 'ann' }));
    expect(code(space.take(revoke('r1', 'g1', 'tools')))).toBe('not_granter');
    expect(space.types(space.take(revoke('r2', 'g1', 'ann')))).toEqual(['grant_revoked']);
    expect(space.records.at(-1)?.facts).toMatchObject({ audience: ['agent', 'ann'] });
    expect(space.types(space.take(revoke('r3', 'g2', 'reviewer')))).toEqual(['grant_revoked']);
    expect(code(space.take(call('m1')))).toBe('capability_violation');
    expect(code(space.take(revoke('r4', 'g1', 'ann')))).toBe('unknown_grant');
    expect(space.types(space.take(chat('m2', 'agent', 'still here')))).toEqual(['said']);
  });
});

describe('a revocation by capabilities', () => {
  it('O-41: revokes every grant within them that the sender may revoke', () => {
    const space = world();
    space.take(grant('g1', [WRITE], {}, { from: 'ann' }));
    space.take(grant('g2', ['mcp.request.tools/call:read_file'], {}, { from: 'ann' }));
    space.take(grant('g3', [WRITE], {}, { from: 'reviewer' }));
    const by = (id: string, capabilities: readonly string[], from = 'ann') =>
      message(from, id, 'mcpx.revoke.capability', { to: 'agent', capabilities });
    expect(code(space.take(by('r1', ['chat.*'])))).toBe('unknown_grant');
    space.take(by('r2', ['mcp.request.tools/call:write_*']));
    expect(grantsInForce(space.space, space.now).map(({ id }) => id)).toEqual(['g2', 'g3']);
    expect(code(space.take(by('r3', [WRITE])))).toBe('not_granter');
    space.take(by('r4', ['*'], 'reviewer'));
    expect(grantsInForce(space.space, space.now)).toEqual([]);
  });

  it('O-41: is a message like any other to a participant without any grants, as mew clients send it to be sure', () => {
    const space = world();
    space.capabilities.set('agent', ['chat.*']);
    const payload = { to: 'agent', capabilities: ['chat.*'] };
    const sent = space.take(message('ann', 'r1', 'mcpx.revoke.capability', payload));
    expect(space.types(sent)).toEqual(['said']);
    expect(space.types(space.take(chat('m1', 'agent', 'still here')))).toEqual(['said']);
  });
});
