import { describe, expect, it } from 'vitest';
import { createTestClock } from '../../testing/test-clock.js';
import { CALLED_OFF, type Outcome } from '../outcomes/index.js';
import { type Caller, GatedCall } from './gated-call.js';

const RAN: Outcome = { type: 'ran', result: { content: [] }, by: 'reviewer', edit: [] };

function gated(): GatedCall {
  const facts = { id: 'p', key: 'k', tool: 't', arguments: {}, createdAt: 0 };
  const call: GatedCall = new GatedCall(facts, {
    clock: createTestClock(),
    window: 1,
    onGone: () => {},
    onDelivered: () => {
      call.isDelivered = true;
    },
  });
  return call;
}

const run = () => Promise.resolve({ result: {} });
const told = (isTold: boolean): Caller => ({ run, settle: () => isTold });

describe('a call that waits for its caller', () => {
  it('has none to run for when the one who came has left again, and goes on waiting', async () => {
    const call = gated();
    const attended = call.attended();
    const caller = told(true);
    call.join(caller);
    call.leave(caller);
    await attended;
    expect(call.caller).toBeUndefined();
    expect(call.isUnattended).toBe(true);
  });

  it('O-15: has none to run for when it was called off, also by one who is there', async () => {
    const call = gated();
    const attended = call.attended();
    call.join(told(true));
    call.giveUp(CALLED_OFF);
    await attended;
    expect(call.caller).toBeUndefined();
    expect(call.isUnattended).toBe(false);
  });
});

describe('a call that is over', () => {
  it('is an earlier one for whoever makes it again if nobody was there to hear how', () => {
    const alone = gated();
    alone.finish(RAN);
    expect(alone.isEarlier).toBe(true);
    const unreached = gated();
    unreached.join(told(false));
    unreached.finish(RAN);
    expect(unreached.isEarlier).toBe(true);
  });

  it('is not while the caller that was told to come back for it is there', () => {
    const call = gated();
    const parked: Caller = { run };
    call.join(parked);
    call.finish(RAN);
    expect(call.isEarlier).toBe(false);
    call.leave(parked);
    expect(call.isEarlier).toBe(true);
  });

  it('is an earlier one as long as nobody knows whether its caller has heard, and then until somebody has', async () => {
    for (const hasHeard of [true, false]) {
      const call = gated();
      let left = (_hasLeft: boolean): void => {};
      const leaving = new Promise<boolean>((resolve) => {
        left = resolve;
      });
      call.join({ run, settle: () => leaving });
      call.finish(RAN);
      expect([call.isEarlier, call.isDelivered, call.isOpen]).toEqual([true, false, true]);
      left(hasHeard);
      await leaving;
      expect([call.isEarlier, call.isDelivered]).toEqual([true, hasHeard]);
      call.join(told(true));
      expect(call.isDelivered).toBe(true);
    }
  });

  it('waits the whole window from when it is known that its caller has not heard', async () => {
    const clock = createTestClock();
    const gone: string[] = [];
    const facts = { id: 'p', key: 'k', tool: 't', arguments: {}, createdAt: 0 };
    const onGone = (): void => void gone.push('gone');
    const call = new GatedCall(facts, { clock, window: 100, onGone, onDelivered: () => {} });
    let left = (_hasLeft: boolean): void => {};
    const leaving = new Promise<boolean>((resolve) => {
      left = resolve;
    });
    call.join({ run, settle: () => leaving });
    call.finish(RAN);
    clock.pass(1_000);
    left(false);
    await leaving;
    clock.pass(99);
    expect(gone).toEqual([]);
    clock.pass(1);
    expect(gone).toEqual(['gone']);
  });
});
