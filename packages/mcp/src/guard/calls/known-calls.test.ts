import type { OwnCallOutcome } from '@proffer/client/own-calls';
import { askedCall, OwnCall } from '@proffer/client/own-calls';
import { describe, expect, it } from 'vitest';
import { createTestClock } from '../../testing/test-clock.js';
import { KnownCalls } from './known-calls.js';
import type { GatedCall } from './propose-call.js';

const CLOCK = createTestClock();

function callOf(id: string): GatedCall {
  const facts = { id, key: id, tool: 't', arguments: {}, createdAt: 0 };
  return new OwnCall(askedCall(facts, 0), { clock: CLOCK, window: 1 });
}

const ran = (characters: number): OwnCallOutcome => ({
  type: 'ran',
  result: { content: [{ type: 'text', text: 'x'.repeat(characters) }] },
  by: 'reviewer',
  edit: [],
});

/** Calls that ended one after another, with what is left of each. */
function ended(
  count: number,
  {
    outcome,
    isDelivered,
    ...bounds
  }: { outcome: OwnCallOutcome; isDelivered: boolean; mostCharacters?: number; most?: number },
) {
  const forgotten: string[] = [];
  const known = new KnownCalls({ ...bounds, onForgotten: ({ facts }) => void forgotten.push(facts.id) });
  const ids = Array.from({ length: count }, (_, index) => `call ${index}`);
  for (const id of ids) {
    const call = callOf(id);
    known.add(call);
    call.tell({ type: 'end', outcome });
    if (isDelivered) call.tell({ type: 'deliver' });
    known.end(call);
  }
  return { forgotten, left: ids.map((id) => known.get(id)?.outcome?.type) };
}

/** A clock that reports how many timers are pending. */
function countingClock() {
  const waiting = new Set<object>();
  const after = () => {
    const timer = {};
    waiting.add(timer);
    return () => waiting.delete(timer);
  };
  return { waiting, clock: { now: () => 0, after } };
}

describe('I-7: finished calls', () => {
  it('are held by no timer once their outcome was delivered', () => {
    const { waiting, clock } = countingClock();
    const facts = { id: 'p', key: 'k', tool: 't', arguments: {}, createdAt: 0 };
    const call = new OwnCall(askedCall(facts, 0), { clock, window: 1 });
    const run = () => Promise.reject(new Error('never'));
    const parked = { run };
    call.join(parked);
    const settle = () => {
      call.leave(parked);
      return true;
    };
    call.join({ run, settle });
    call.tell({ type: 'end', outcome: ran(1) });
    expect(waiting.size).toBe(0);
  });

  it('are dropped oldest first when their results take too much room, if they were delivered', () => {
    const { forgotten, left } = ended(5, { outcome: ran(400), isDelivered: true, mostCharacters: 1_200 });
    expect(left).toEqual([undefined, undefined, undefined, 'ran', 'ran']);
    expect(forgotten).toEqual(['call 0', 'call 1', 'call 2']);
  });

  it('still report that they ran if their results were not delivered', () => {
    const { forgotten, left } = ended(4, { outcome: ran(400), isDelivered: false, mostCharacters: 1_200 });
    expect(left).toEqual(['lost', 'lost', 'ran', 'ran']);
    expect(forgotten).toEqual([]);
  });

  it('keep the last one, however large it is', () => {
    const { left } = ended(2, { outcome: ran(5_000), isDelivered: true, mostCharacters: 1_200 });
    expect(left).toEqual([undefined, 'ran']);
  });

  it.each<OwnCallOutcome>([
    { type: 'unknown', why: 'it went away' },
    { type: 'failed', error: { code: -1, message: 'no' } },
    { type: 'lost', characters: 1, isError: false, by: 'reviewer', edit: [] },
  ])('O-23: are kept longer if they may have run ($type) and nobody was told, but not forever', (outcome) => {
    expect(ended(6, { outcome, isDelivered: false, most: 3 }).forgotten).toEqual([]);
    expect(ended(9, { outcome, isDelivered: false, most: 3 }).forgotten).toHaveLength(3);
    expect(ended(6, { outcome, isDelivered: true, most: 3 }).forgotten).toHaveLength(3);
  });

  it('do not include calls with a running later round, even if an earlier round ends late', () => {
    const known = new KnownCalls({ most: 1, onForgotten: () => {} });
    const [first, second, ...others] = ['p', 'p', 'a', 'b', 'c'].map(callOf);
    if (first === undefined || second === undefined) throw new Error('There are five.');
    known.add(first);
    first.tell({ type: 'end', outcome: ran(1) });
    known.end(first);
    known.add(second);
    known.end(first);
    for (const call of others) {
      known.add(call);
      call.tell({ type: 'expire' });
      known.end(call);
    }
    expect(known.get('p')).toBe(second);
  });

  it('make room for others if they were not run', () => {
    const outcome: OwnCallOutcome = { type: 'expired' };
    expect(ended(6, { outcome, isDelivered: false, most: 3 }).forgotten).toHaveLength(3);
  });
});
