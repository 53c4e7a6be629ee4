import type { JsonObject } from '@proffer/core/json';
import { describe, expect, it } from 'vitest';
import { startPeerListener } from '../testing/peer-listener.js';

const message = (type: string, version: number, fields: JsonObject = {}): JsonObject => ({
  type,
  gateway: 'g1',
  version,
  ...fields,
});
const member = (name: string): JsonObject => ({ space: 'main', name, capabilities: [] });

const begin = (version: number) => message('begin', version);
const members = (version: number, ...names: readonly string[]) =>
  message('members', version, { members: names.map(member) });
const end = (version: number) => message('end', version);
const joined = (version: number, name: string) => message('change', version, { member: member(name) });
const beat = (version: number) => message('beat', version);

/** A gateway to which `g1` has listed `ann`, who has left since. That change was lost. */
function startAfterLoss(...received: readonly JsonObject[]) {
  const gateway = startPeerListener();
  const { present, told, hear } = gateway;
  for (const one of [begin(1), members(1, 'ann'), end(1), ...received]) hear(one);
  return {
    ...gateway,
    asked: () => told.splice(0).filter(({ type, whom }) => type === 'ask' && whom === 'g1').length,
    names: () => [...present.keys()],
  };
}

describe('a list of members', () => {
  it('O-26, O-27: whose end is overtaken by a change does not hide later losses', () => {
    const overtaken = [begin(1), joined(2, 'bob'), members(1, 'ann'), end(1)];
    using gateway = startAfterLoss(...overtaken);
    const { hear, asked, names } = gateway;
    // Everything is known so far.
    expect(asked()).toBe(0);
    hear(beat(3));
    expect(asked()).toBe(1);
    for (const one of [begin(3), members(3, 'bob'), end(3), beat(3)]) hear(one);
    expect([names(), asked()]).toEqual([['bob'], 0]);
  });

  it.each([
    ['end is lost', [begin(2), beat(2)]],
    ['end is lost before a change', [begin(2), joined(3, 'bob')]],
    ['beginning is lost', [members(2), end(2)]],
    ['beginning comes after its end', [end(2), begin(2), beat(2)]],
  ])('O-26, O-27: is requested again if its %s', (_, received) => {
    using gateway = startAfterLoss(...received);
    const { hear, asked, names } = gateway;
    expect(asked()).toBeGreaterThan(0);
    for (const one of [begin(3), members(3, 'bob'), end(3), beat(3)]) hear(one);
    expect([names(), asked()]).toEqual([['bob'], 0]);
  });

  it('O-26, O-27: drops those who joined and left before it, also if only the first is heard, and late', () => {
    using gateway = startAfterLoss(begin(3), joined(2, 'bob'), end(3), beat(3));
    const { asked, names } = gateway;
    expect([names(), asked()]).toEqual([[], 0]);
  });
});
