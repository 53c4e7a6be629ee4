import { expect, it } from 'vitest';
import { createStrangers } from './strangers.js';

function room(limits: Parameters<typeof createStrangers>[0]) {
  const cut: string[] = [];
  const strangers = createStrangers(limits);
  const peers = new Map<string, { destroy(): void }>();
  const peer = (name: string) => {
    const known = peers.get(name) ?? { destroy: () => void cut.push(name) };
    peers.set(name, known);
    return known;
  };
  return { cut, strangers, peer };
}

it('I-7: cuts the longest-silent of too many strangers', () => {
  const { cut, strangers, peer } = room({ total: 2 });
  strangers.seen(peer('a'));
  strangers.seen(peer('b'));
  strangers.seen(peer('a'));
  strangers.seen(peer('c'));
  expect(cut).toEqual(['b']);
  expect(strangers.has(peer('b'))).toBe(false);
});

it('I-7: allows fewer per address, without cost to others', () => {
  const { cut, strangers, peer } = room({ total: 3, perAddress: 2 });
  strangers.seen(peer('quiet'), '10.0.0.1');
  for (const name of ['x', 'y', 'z']) strangers.seen(peer(name), '10.0.0.2');
  expect(cut).toEqual(['x']);
});

it('I-7: no longer counts those who are identified or gone', () => {
  const { cut, strangers, peer } = room({ total: 1, perAddress: 1 });
  strangers.seen(peer('a'), '10.0.0.1');
  strangers.forget(peer('a'));
  strangers.forget(peer('never'));
  strangers.seen(peer('b'), '10.0.0.1');
  expect(cut).toEqual([]);
});
