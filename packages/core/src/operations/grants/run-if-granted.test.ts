import { describe, expect, it } from 'vitest';
import type { CapabilitySource } from '../../capability/capability.js';
import type { JsonObject } from '../../json/json.js';
import { deliveredEnvelope } from '../routing/delivery.js';
import { decideInSpace } from '../space/decide-in-space.js';
import { evolveSpace } from '../space/space.js';
import { entry, reviewed } from '../testing/reviewed.js';
import { announce, createWorld, grant, message, propose, revoke, type World } from '../testing/world.js';
import { compiledSources, grantsInForce } from './grant.js';

const WRITE = 'mcp.request.tools/call:write_file';

/** A guard that runs its own calls, a reviewer who may do everything, and another who may only write. */
function world(): World {
  const made = createWorld(['guard', 'reviewer', 'ann']);
  made.capabilities.set('guard', ['mcp.proposal.*']);
  made.capabilities.set('ann', ['mcp.request.tools/call', 'mcpx.grant.capability', 'mcpx.revoke.capability']);
  made.runsOwnCalls.add('guard');
  made.send(announce('n1', 'guard', ['write_file', 'delete_file']));
  return made;
}

const ask = (id: string, payload: JsonObject = {}) =>
  propose(id, { executor: 'guard', ...payload }, {}, 'guard');

const allow = (id: string, bounds: JsonObject = {}, from = 'reviewer') =>
  grant(id, [WRITE], bounds, { from, to: 'guard' });

const inSession = (session: string) => ({ origin: { client: 'editor', session } });

describe('a proposal covered by a grant', () => {
  it("O-41: runs at once, in the granter's name, and names the grant", () => {
    const space = world();
    space.take(ask('p0'));
    space.take(allow('g1', { ttl: 60_000 }));
    expect(space.types(space.take(ask('p1')))).toEqual(['proposed', 'fulfilled']);
    const [proposed, run] = space.records.slice(-2).map((record) => deliveredEnvelope(record).payload);
    expect([proposed?.['grant'], run?.['grant']]).toEqual(['g1', 'g1']);
    expect(space.records.at(-1)).toMatchObject({
      principal: 'reviewer',
      envelope: { from: 'reviewer', correlationId: 'p1' },
      facts: { executor: 'guard', grant: 'g1', amendment: [] },
    });
    expect(space.proposal('p1').fulfilment).toMatchObject({ by: 'reviewer', grant: 'g1' });
    // Earlier proposals still wait: somebody is looking at them.
    expect(space.proposal('p0').phase).toBe('pending');
    expect(space.take(ask('p1')).unchanged).toBe('duplicate');
  });

  it('O-41: counts each use before it runs, and asks again after the last', () => {
    const space = world();
    space.take(allow('g1', { uses: 2 }));
    const decision = space.take(ask('p1'));
    expect(decision).toMatchObject({ inOrder: true });
    expect(space.types(decision)).toEqual(['grant_used', 'proposed', 'fulfilled']);
    expect(space.records.at(-3)?.facts).toMatchObject({ grant: 'g1', message: 'p1', left: 1 });
    space.take(ask('p2'));
    expect(space.types(space.take(ask('p3')))).toEqual(['proposed']);
  });

  it('O-8, O-41: waits if the grant covers something else, has ended, or was revoked', () => {
    const space = world();
    const inTmp = { kind: WRITE, payload: { params: { arguments: { path: '/etc/**' } } } };
    space.take(grant('g1', [inTmp], { ttl: 60_000 }, { to: 'guard' }));
    expect(space.types(space.take(ask('p1')))).toEqual(['proposed']);
    space.take(allow('g2', { ttl: 60_000 }));
    const params = { name: 'delete_file', arguments: {} };
    const other = { executor: 'guard', method: 'tools/call', params };
    expect(space.types(space.take(message('guard', 'p2', 'mcp.proposal.tools/call', other)))).toEqual([
      'proposed',
    ]);
    space.take(revoke('r1', 'g2'));
    expect(space.types(space.take(ask('p3')))).toEqual(['proposed']);
    space.take(allow('g3', { ttl: 60_000 }));
    space.now += 60_000;
    expect(space.types(space.take(ask('p4')))).toEqual(['proposed']);
  });

  it.each<[why: string, payload: JsonObject, prepare: (space: World) => unknown]>([
    ['nobody is present to run it', {}, (space) => space.present.delete('guard')],
    ['it may not run its own calls', {}, (space) => space.runsOwnCalls.delete('guard')],
    [
      'approvals are paused',
      {},
      (space) => space.take(message('reviewer', 's1', 'mcpx.pause.approvals', {})),
    ],
    ['its granter may no longer do it', {}, (space) => space.capabilities.set('reviewer', ['chat.*'])],
    ['it waits for another proposal', { depends_on: ['p0'] }, () => undefined],
    ['its proposer wants people to be asked', { grants: false }, () => undefined],
    ['it is reserved for somebody', { targeting: { preferred: ['ann'], exclusive: true } }, () => undefined],
  ])('O-41: waits, and no use is spent, if %s', (_, payload, prepare) => {
    const space = world();
    space.take(ask('p0'));
    space.take(allow('g1', { uses: 1 }));
    prepare(space);
    space.take(ask('p1', payload));
    expect(space.proposal('p1').phase).toBe('pending');
    expect(grantsInForce(space.space, space.now)).toMatchObject([{ id: 'g1', left: 1 }]);
  });

  it('O-30, O-41: is not run by a grant from another token of the same person', () => {
    const space = world();
    space.people.set('guard', { subject: 'ann@example.org' });
    space.people.set('ann', { subject: 'ann@example.org' });
    space.take(allow('g1', { ttl: 60_000 }, 'ann'));
    expect(space.types(space.take(ask('p1')))).toEqual(['proposed']);
    // Even if nothing but the grant is known about her any more.
    space.capabilities.delete('ann');
    expect(space.types(space.take(ask('p2')))).toEqual(['proposed']);
  });

  it('O-41: a granter removed from the configuration grants nothing', () => {
    const space = world();
    space.take(allow('g1', { ttl: 60_000 }, 'ann'));
    space.capabilities.delete('ann');
    expect(space.types(space.take(ask('p1')))).toEqual(['proposed', 'fulfilled']);
    space.capabilities.set('ann', ['mcp.request.tools/call', 'mcpx.grant.capability']);
    space.people.set('ann', { isConfigured: true });
    space.take(revoke('r1', 'g1'));
    space.take(allow('g2', { ttl: 60_000 }, 'ann'));
    expect(space.types(space.take(ask('p2')))).toEqual(['proposed', 'fulfilled']);
    space.capabilities.delete('ann');
    expect(space.types(space.take(ask('p3')))).toEqual(['proposed']);
  });

  it.each([2, 1])(
    'O-28, O-41: under a review policy that requires %d, it waits for approvals',
    (approvals) => {
      const space = reviewed([entry({ approvals, from: ['reviewer', 'ann'] })]);
      space.take(grant('g1', ['mcp.request.*'], { ttl: 60_000 }));
      space.send(propose('p2'));
      expect(space.proposal('p2')).toMatchObject({ phase: 'pending', approvals: [] });
    },
  );
});

describe('a counted use whose proposal was not recorded', () => {
  it('O-41: is not counted again when the same is proposed again, and counts for nothing else', () => {
    const space = world();
    space.take(allow('g1', { uses: 3 }));
    const before = space.space;
    const [use] = space.take(ask('p1')).appends ?? [];
    // As after a kill between the two appends.
    const killed = (use?.records ?? []).reduce(evolveSpace, before);
    const decided = (proposal: string) => {
      const { appends = [] } = decideInSpace(killed, ask(proposal), surroundingsOf(space));
      return appends.flatMap(({ records }) => records.map(({ type }) => type));
    };
    expect(decided('p1')).toEqual(['proposed', 'fulfilled']);
    expect(decided('p2')).toEqual(['grant_used', 'proposed', 'fulfilled']);
    // A message with the same id is not a proposal: its use was its own.
    const call = { method: 'tools/call', params: { name: 'write_file', arguments: {} } };
    space.take(message('guard', 'm1', 'mcp.request.tools/call', { jsonrpc: '2.0', id: 1, ...call }));
    space.now += 3_600_000;
    expect(space.types(space.take(ask('m1')))).toEqual(['grant_used', 'proposed', 'fulfilled']);
  });
});

/** What a restarted gateway knows: who is present, and what they may do. */
function surroundingsOf(space: World) {
  const standing = (sources: readonly CapabilitySource[]) => ({
    capabilities: compiledSources(sources),
    runsOwnCalls: true,
  });
  return {
    now: space.now,
    isPresent: () => true,
    rightsOf: (name: string) => standing(space.capabilities.get(name) ?? []),
    sender: standing(['mcp.proposal.*']),
  };
}

describe("a grant for an agent's session", () => {
  it("O-41: covers that session's proposals, and asks about all others", () => {
    const space = world();
    space.take(allow('g1', { session: 's-1' }));
    expect(space.types(space.take(ask('p1', inSession('s-1'))))).toEqual(['proposed', 'fulfilled']);
    expect(space.types(space.take(ask('p2', inSession('s-2'))))).toEqual(['proposed']);
    expect(space.types(space.take(ask('p3')))).toEqual(['proposed']);
    const call = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'write_file', arguments: {} },
    };
    const direct = space.take(message('guard', 'm1', 'mcp.request.tools/call', call));
    expect(direct.refused?.code).toBe('capability_violation');
  });

  it('O-41: stays while the participant is away, and ends after twelve hours by default', () => {
    const space = world();
    space.take(allow('g1', { session: 's-1' }));
    space.take(allow('g2', { session: 's-1', ttl: 60_000 }));
    space.take(allow('g3', { session: 's-1', uses: 1 }));
    const ends = grantsInForce(space.space, space.now).map(({ until }) => until);
    expect(ends).toEqual([space.now + 43_200_000, space.now + 60_000, undefined]);
    expect(space.types(space.leave('guard'))).toEqual([]);
    space.now += 43_200_000;
    expect(grantsInForce(space.space, space.now).map(({ id }) => id)).toEqual(['g3']);
  });
});
