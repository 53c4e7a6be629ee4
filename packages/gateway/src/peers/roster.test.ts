import { compileCapabilities } from '@proffer/core/capability';
import { expect, it } from 'vitest';
import { Roster } from './roster.js';

const ANN = { space: 'main', name: 'ann', rights: { capabilities: compileCapabilities([]) } };

it('O-26, O-27: outdated reports of a gateway do not count, also when it is gone', () => {
  const present = new Set<string>();
  const admit = ({ name }: { readonly name: string }) => {
    present.add(name);
    return { update: () => {}, leave: () => void present.delete(name) };
  };
  const roster = new Roster(
    () => ({ admit }),
    () => 0,
  );
  roster.begin('g1', 4);
  roster.end('g1', 4);
  // The fifth takes another path.
  expect(roster.changed('g1', 6)).toBe(false);
  roster.joined('g1', ANN);
  expect([5, 6, 7, Number.NaN].map((version) => roster.isOvertaken('g1', version))).toEqual([
    true,
    false,
    false,
    false,
  ]);
  roster.forget('g1');
  expect(present.size).toBe(0);
  expect(roster.isOvertaken('g1', 5)).toBe(true);
  expect(roster.isOvertaken('g2', 0)).toBe(false);
});
