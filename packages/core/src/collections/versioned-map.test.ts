import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../testing/runs.js';
import { VersionedMap } from './versioned-map.js';

const ascending = (left: number, right: number) => left - right;
const KEYS = ['a', 'b', 'c', 'd', '__proto__', 'constructor', ''];

/** Everything readable from a map, versioned or plain. */
function readAll(map: VersionedMap<number> | ReadonlyMap<string, number>) {
  return {
    size: map.size,
    found: KEYS.map((key) => [key, map.has(key), map.get(key)]),
    entries: Object.fromEntries(map),
    keys: Array.from(map.keys()).toSorted(),
    values: Array.from(map.values()).toSorted(ascending),
  };
}

/** One change to one of the existing versions, counted from the newest: 0 continues, more makes a fork. */
const step = fc.record({
  back: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat(30)),
  key: fc.constantFrom(...KEYS),
  value: fc.option(fc.nat(3)),
});

describe('VersionedMap', () => {
  it('I-3: every version ever made stays readable, including forks of old ones', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), fc.boolean(), (steps, readOften) => {
        const versions = [{ version: VersionedMap.empty<number>(), model: new Map<string, number>() }];
        for (const { back, key, value } of steps) {
          const base = versions[Math.max(0, versions.length - 1 - back)];
          if (base === undefined) continue;
          const model = new Map(base.model);
          if (value === null) model.delete(key);
          else model.set(key, value);
          const version = value === null ? base.version.delete(key) : base.version.set(key, value);
          versions.push({ version, model });
          if (readOften) for (const each of versions) readAll(each.version);
        }
        for (const each of [...versions, ...versions.toReversed()]) {
          expect(readAll(each.version)).toEqual(readAll(each.model));
        }
      }),
      runs(500),
    );
  });

  it('I-3: a loop over a version sees that version, whatever is derived from it meanwhile', () => {
    let map = VersionedMap.of<number>([
      ['a', 1],
      ['b', 2],
      ['c', 3],
    ]);
    const seen: [string, number][] = [];
    for (const [key, value] of map) {
      seen.push([key, value]);
      map = map
        .delete('c')
        .set('d', 4)
        .set(key, value * 10);
    }
    expect(seen).toEqual([
      ['a', 1],
      ['b', 2],
      ['c', 3],
    ]);
    expect(new Map(map)).toEqual(
      new Map([
        ['a', 10],
        ['b', 20],
        ['d', 4],
        ['c', 30],
      ]),
    );
  });

  it('I-3: iterators already requested stay with their version', () => {
    const map = VersionedMap.of<number>([
      ['a', 1],
      ['b', 2],
    ]);
    const keys = map.keys();
    const values = map.values();
    const entries = map[Symbol.iterator]();
    map.set('c', 3).delete('a');
    expect([...keys]).toEqual(['a', 'b']);
    expect([...values]).toEqual([1, 2]);
    expect([...entries]).toEqual([
      ['a', 1],
      ['b', 2],
    ]);
  });

  it('I-3: the newest version of a fold is in insertion order', () => {
    let map = VersionedMap.empty<number>();
    for (const key of ['c', 'a', 'b']) map = map.set(key, 1);
    expect([...map.delete('a').set('c', 2).set('a', 3).keys()]).toEqual(['c', 'b', 'a']);
  });

  it('I-8: a no-op change creates no new version', () => {
    const map = VersionedMap.of<number>([['a', 1]]);
    expect(map.set('a', 1)).toBe(map);
    expect(map.delete('b')).toBe(map);
    expect(VersionedMap.empty<number>().delete('a').size).toBe(0);
  });

  it('I-3: the source can change afterwards', () => {
    const source = new Map([['a', 1]]);
    const map = VersionedMap.of(source);
    source.set('a', 2).set('b', 3);
    expect([...map]).toEqual([['a', 1]]);
  });

  it('I-3: one empty map can start any number of folds', () => {
    const empty = VersionedMap.empty<number>();
    const left = empty.set('a', 1);
    const right = empty.set('a', 2).set('b', 3);
    expect([[...empty], [...left], [...right]]).toEqual([
      [],
      [['a', 1]],
      [
        ['a', 2],
        ['b', 3],
      ],
    ]);
  });

  it('I-3: released versions cannot be read; the remaining one and all newer ones read as before', () => {
    const first = VersionedMap.of<number>([['a', 1]]);
    const second = first.set('a', 2);
    const third = second.set('b', 3);
    const fourth = third.delete('a');
    first.releaseUntil(third);
    expect([Object.fromEntries(third), Object.fromEntries(fourth)]).toEqual([{ a: 2, b: 3 }, { b: 3 }]);
    for (const gone of [first, second]) {
      expect(() => gone.get('a')).toThrow('released');
      expect(() => [...gone]).toThrow('released');
      expect(() => gone.set('c', 4)).toThrow('released');
    }
  });

  it('I-3: releasing does nothing for an unrelated version', () => {
    const first = VersionedMap.of<number>([['a', 1]]);
    const second = first.set('a', 2);
    first.releaseUntil(VersionedMap.of([['a', 3]]));
    second.releaseUntil(first);
    expect([first.get('a'), second.get('a')]).toEqual([1, 2]);
  });

  it('I-3: nested maps are released with their map', () => {
    const inner = VersionedMap.of<number>([['a', 1]]);
    const outer = VersionedMap.of([['inner', inner]]);
    const changed = outer.set('inner', inner.set('a', 2));
    outer.releaseUntil(changed);
    expect(() => inner.get('a')).toThrow('released');
    expect(changed.get('inner')?.get('a')).toBe(2);
  });

  it('I-8: a hundred thousand versions later the first is still readable, and the last as fast as the first', () => {
    const first = VersionedMap.of<number>([['a', 1]]);
    let last = first;
    for (let count = 0; count < 100_000; count++) last = last.set(`key ${count}`, count);
    expect(last.size).toBe(100_001);
    expect([...first]).toEqual([['a', 1]]);
    expect(first.get('key 5')).toBeUndefined();
    expect([...first.set('b', 2)]).toEqual([
      ['a', 1],
      ['b', 2],
    ]);
    expect(last.get('key 99999')).toBe(99_999);
  });
});
