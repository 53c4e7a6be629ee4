import { describe, expect, it } from 'vitest';
import type { GatedCall } from '../calls/index.js';
import { OwnTasks } from './own-tasks.js';

/** A client's tasks, some of which may be forgotten. */
function place(count: number) {
  const calls = new Map<string, GatedCall>();
  const tasks = new OwnTasks((id) => calls.get(id));
  for (let index = 0; index < count; index++) {
    const call = { facts: { id: `p${index}` } } as GatedCall;
    calls.set(call.facts.id, call);
    tasks.add(call);
    tasks.add(call);
  }
  const read = (whileReading: () => void = () => {}): readonly (readonly string[])[] => {
    const pages: string[][] = [];
    for (let cursor: string | undefined; ; whileReading()) {
      const page = tasks.page(cursor);
      pages.push((page?.tasks ?? []).map(({ facts }) => facts.id));
      cursor = page?.next;
      if (cursor === undefined) return pages;
    }
  };
  return { tasks, calls, read };
}

const names = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => `p${from + at}`);

describe('tasks of a client', () => {
  it('are listed in pages of 100, oldest first, each once', () => {
    expect(place(0).read()).toEqual([[]]);
    expect(place(100).read()).toEqual([names(0, 100)]);
    expect(place(201).read()).toEqual([names(0, 100), names(100, 200), names(200, 201)]);
  });

  it('are listed without gaps while others are forgotten', () => {
    const { calls, read } = place(150);
    const [, second] = read(() => calls.delete('p99') && calls.delete('p120'));
    expect(second).toEqual([...names(100, 120), ...names(121, 150)]);
  });

  it('I-7: are limited to the last 1,000', () => {
    expect(place(1_005).read().flat()).toEqual(names(5, 1_005));
  });

  it.each(['', 'theirs', 'proffer:100', place(101).tasks.page(undefined)?.next ?? '', 5, null])(
    'ignore a cursor of the server: %j',
    (cursor) => {
      expect(place(101).tasks.isOwn(cursor)).toBe(false);
    },
  );

  it('have no page for a cursor that looks like theirs and was not issued', () => {
    const { tasks } = place(101);
    const next = tasks.page(undefined)?.next ?? '';
    for (const end of ['', 'x', '0', '-1', '1e1', '102', '9'.repeat(400)]) {
      const cursor = next.replace(/100$/, end);
      expect([tasks.isOwn(cursor), tasks.page(cursor)]).toEqual([true, undefined]);
    }
  });
});
