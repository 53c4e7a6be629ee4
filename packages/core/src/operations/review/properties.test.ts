import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Envelope } from '../../envelope/envelope.js';
import { canonicalJson } from '../../json/canonical.js';
import type { JsonObject } from '../../json/json.js';
import { runs } from '../../testing/runs.js';
import { emptySpace, evolveSpace } from '../space/space.js';
import { viewSpace } from '../space/space-view.js';
import {
  accept,
  announce,
  approve,
  counter,
  createWorld,
  fulfil,
  message,
  propose,
  reject,
  type Sealed,
  type World,
  withdraw,
} from '../testing/world.js';

/**
 * The person by name: bob and his phone are one. The agent is in `from`, and may not approve what it
 * proposed.
 */
const PERSON: Readonly<Record<string, string>> = {
  ann: 'ann',
  bob: 'bob',
  phone: 'bob',
  cleo: 'cleo',
  agent: 'dan',
};
const NAMES = ['ann', 'bob', 'phone', 'cleo', 'agent'];
const NEEDED = 2;

const PARAMS: readonly JsonObject[] = [
  { name: 'write_file', arguments: { path: '/tmp/a', text: 'hello' } },
  { name: 'write_file', arguments: { path: '/tmp/b', text: 'hello' } },
];

type Step = (world: World, id: string) => void;

const sending =
  (make: (id: string) => Envelope): Step =>
  (world, id) =>
    void world.send(make(id));

const steps: fc.Arbitrary<Step> = fc
  .tuple(fc.constantFrom(...NAMES), fc.constantFrom(...PARAMS), fc.nat({ max: 12 }))
  .map(([from, params, which]): Step => {
    if (which < 4) return sending((id) => approve(id, 'p1', { from, params }));
    if (which < 6) return sending((id) => fulfil(id, 'p1', { from, params }));
    if (which === 6) return sending((id) => reject(id, 'p1', from, 'busy'));
    if (which === 7) return (world) => void (world.now += 7_000);
    if (which === 8)
      return sending((id) =>
        message('agent', id, 'mcpx.renew.proposal', { ttl: 30_000 }, { correlationId: 'p1' }),
      );
    if (which === 10 || which === 11) return sending((id) => counter(id, 'p1', { from, params }));
    if (which === 12)
      return (world, id) => {
        const offers = world.proposal('p1').counters;
        world.send(accept(id, offers[params === PARAMS[0] ? offers.length - 1 : 0]?.id ?? 'none'));
      };
    return (world, id) => {
      world.review('p1');
      if (from === 'cleo') world.send(withdraw(id, 'p1'));
    };
  });

function play(history: readonly Step[]): World {
  const world = createWorld([...NAMES, 'tools'], {
    review: [
      {
        name: 'writes',
        call: 'mcp.request.tools/call:write_*',
        proposers: [],
        approvals: NEEDED,
        from: ['ann', 'bob', 'phone', 'agent'],
        veto: false,
        escalate: [{ after: 15_000, to: ['cleo'] }],
      },
    ],
    selfFulfilment: true,
  });
  for (const name of NAMES) {
    world.capabilities.set(name, ['*']);
    world.people.set(name, { subject: PERSON[name] ?? name });
  }
  world.send(announce('n1', 'tools', ['write_file']));
  world.send(propose('p1', { ttl: 40_000 }));
  for (const [index, step] of history.entries()) step(world, `m${index}`);
  return world;
}

/** Recounts from the records alone: who had approved what when it ran. */
function judge(records: readonly Sealed[]): void {
  const approved = new Map<string, Set<string>>();
  let isEscalated = false;
  let fulfilments = 0;
  for (const { type, principal, facts } of records) {
    if (type === 'escalated') isEscalated = true;
    if (type === 'rejected' || (type === 'countered' && principal !== 'agent'))
      for (const people of approved.values()) people.delete(principal);
    if (type === 'approved' || type === 'counter_accepted') {
      const people = approved.get(facts.digest) ?? new Set();
      approved.set(facts.digest, people.add(type === 'approved' ? principal : facts.author));
    }
    if (type !== 'fulfilled') continue;
    fulfilments++;
    const people = new Set([...(approved.get(facts.ranDigest) ?? []), principal].map((name) => PERSON[name]));
    expect(people).not.toContain('dan');
    if (!isEscalated) expect(people).not.toContain('cleo');
    expect(people.size).toBeGreaterThanOrEqual(NEEDED);
  }
  expect(fulfilments).toBeLessThanOrEqual(1);
}

describe('whatever anybody sends', () => {
  it('O-28, O-29, O-30, O-40, I-2: nothing runs twice, or without enough people having approved exactly that', () => {
    fc.assert(
      fc.property(fc.array(steps, { maxLength: 25 }), (history) => judge(play(history).records)),
      runs(2_000),
    );
  });

  it('O-28, O-40, I-3: replay gives the same state', () => {
    fc.assert(
      fc.property(fc.array(steps, { maxLength: 15 }), (history) => {
        const { records, space } = play(history);
        const replayed = records.reduce(evolveSpace, emptySpace(space.settings));
        expect(canonicalJson(viewSpace(replayed))).toBe(canonicalJson(viewSpace(space)));
      }),
      runs(300),
    );
  });
});
