import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { canonicalJson } from '../../json/canonical.js';
import { isJsonObject } from '../../json/json.js';
import { runs } from '../../testing/runs.js';
import { emptySpace, evolveSpace } from '../space/space.js';
import { viewSpace } from '../space/space-view.js';
import {
  announce,
  createWorld,
  fulfil,
  grant,
  message,
  propose,
  revoke,
  type Sealed,
  type World,
} from '../testing/world.js';

const TOOLS = ['write_file', 'read_file', 'delete_file'];
const PATTERNS = [
  'mcp.request.tools/call:write_file',
  'mcp.request.tools/call:*',
  'mcp.request.*',
  '*',
  'mcpx.*',
];
/** Each participant's own capabilities: `ann` only writes and grants. */
const OWN: Readonly<Record<string, readonly string[]>> = {
  agent: ['mcp.proposal.*', 'chat.message'],
  ann: ['mcp.request.tools/call:write_file', 'mcpx.grant.capability', 'mcpx.revoke.capability'],
  reviewer: ['*'],
};

type Step = (world: World, id: string) => void;

const steps: fc.Arbitrary<Step> = fc
  .record({
    which: fc.nat({ max: 9 }),
    from: fc.constantFrom('ann', 'reviewer', 'agent'),
    tool: fc.constantFrom(...TOOLS),
    pattern: fc.constantFrom(...PATTERNS),
    bounds: fc.constantFrom(
      { uses: 1 },
      { uses: 3 },
      { ttl: 5_000 },
      {},
      { uses: 2, ttl: 9_000 },
      { session: 's1', uses: 2 },
    ),
    session: fc.constantFrom('s1', 's2'),
    earlier: fc.nat({ max: 20 }),
  })
  .map(({ which, from, tool, pattern, bounds, session, earlier }): Step => {
    if (which < 2) return (world, id) => void world.take(grant(id, [pattern], bounds, { from }));
    if (which === 2) return (world, id) => void world.take(revoke(id, `m${earlier}`, from));
    if (which === 3) return (world) => void (world.now += 2_000);
    if (which === 4) return (world) => void (world.leave('agent'), world.present.add('agent'));
    if (which === 5) return (world, id) => void world.take(fulfil(id, 'p1', { from: 'agent' }));
    if (which === 6) return (world, id) => void world.take(fulfil(id, 'p2', { from: 'agent' }));
    if (which === 7)
      return (world, id) => {
        const asked = { method: 'tools/call', params: { name: tool, arguments: {} }, origin: { session } };
        world.take(message('agent', id, `mcp.proposal.tools/call:${tool}`, asked));
      };
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: tool, arguments: {} } };
    return (world, id) => void world.take(message('agent', id, `mcp.request.tools/call:${tool}`, call));
  });

function play(history: readonly Step[]): World {
  const world = createWorld(['agent', 'ann', 'reviewer', 'tools'], { selfFulfilment: true });
  for (const [name, capabilities] of Object.entries(OWN)) world.capabilities.set(name, capabilities);
  world.send(announce('n1', 'tools', TOOLS));
  world.send(propose('p1'));
  world.send(propose('p2', {}, {}, 'reviewer'));
  for (const [index, step] of history.entries()) step(world, `m${index}`);
  return world;
}

interface Known {
  readonly granter: string;
  readonly uses: number;
  readonly until: number;
  readonly session: true | string | undefined;
  used: number;
  spent: number;
  isOver: boolean;
}

/** Checks the records alone: what was granted, and what was done with it. */
function judge(records: readonly Sealed[]): void {
  const sessions = new Map<string, unknown>();
  const grants = new Map<string, Known>();
  for (const { type, principal, facts, envelope, time } of records) {
    const { origin } = envelope.payload;
    if (type === 'proposed') sessions.set(envelope.id, isJsonObject(origin) ? origin['session'] : undefined);
    if (type === 'granted') {
      const { until = Number.POSITIVE_INFINITY, uses = Number.POSITIVE_INFINITY, grant: id, session } = facts;
      grants.set(id, { granter: principal, uses, until, session, used: 0, spent: 0, isOver: false });
      expect(OWN[principal]).toSatisfy((own: readonly string[]) => own.includes('*') || principal === 'ann');
    } else if (type === 'grant_revoked') {
      for (const id of facts.grants) {
        const known = grants.get(id);
        expect(principal === known?.granter || principal === 'reviewer').toBe(true);
        if (known !== undefined) known.isOver = true;
      }
    } else if (type === 'grant_ended') {
      const known = grants.get(facts.grant);
      if (known !== undefined) known.isOver = true;
    } else if (type === 'grant_used') {
      const known = grants.get(facts.grant);
      if (known !== undefined) known.used++;
    } else if ('grant' in facts && facts.grant !== undefined) {
      const known = grants.get(facts.grant);
      expect(known).toBeDefined();
      if (known === undefined) continue;
      known.spent++;
      expect(known.isOver).toBe(false);
      expect(time).toBeLessThan(known.until);
      expect(known.spent).toBeLessThanOrEqual(Number.isFinite(known.uses) ? known.used : known.spent);
      expect(known.used).toBeLessThanOrEqual(known.uses);
      if (typeof known.session === 'string')
        expect(sessions.get(type === 'fulfilled' ? facts.proposal : '')).toBe(known.session);
      // Nobody gets from ann what ann may not do.
      const { params } = envelope.payload;
      if (known.granter === 'ann') expect(params).toMatchObject({ name: 'write_file' });
    } else if (principal === 'agent') {
      expect(envelope.kind).toMatch(/^(mcp\.proposal|chat)\./);
    }
  }
}

it('O-41, I-4: nothing is done beyond what was granted, by whom, for how long and how often', () => {
  fc.assert(
    fc.property(fc.array(steps, { maxLength: 30 }), (history) => judge(play(history).records)),
    runs(500),
  );
});

it('O-41, I-3: replay gives the same grants', () => {
  fc.assert(
    fc.property(fc.array(steps, { maxLength: 20 }), (history) => {
      const { records, space } = play(history);
      const replayed = records.reduce(evolveSpace, emptySpace(space.settings));
      expect(canonicalJson(viewSpace(replayed))).toBe(canonicalJson(viewSpace(space)));
    }),
    runs(200),
  );
});
