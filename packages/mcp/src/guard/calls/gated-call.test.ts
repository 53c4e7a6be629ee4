import { describe, expect, it } from 'vitest';
import { createTestClock } from '../../testing/test-clock.js';
import { CALLED_OFF, type Outcome } from '../outcomes/index.js';
import { askedCall } from './call-state.js';
import type { Caller } from './caller.js';
import { GatedCall, type GatedCallOptions } from './gated-call.js';

const RAN: Outcome = { type: 'ran', result: { content: [] }, by: 'reviewer', edit: [] };
const FACTS = { id: 'p', key: 'k', tool: 't', arguments: {}, createdAt: 0 };
const APPROVAL = { by: 'reviewer', arguments: {} };

function gated(options: Partial<GatedCallOptions> = {}): GatedCall {
  const clock = createTestClock();
  return new GatedCall(askedCall(FACTS, clock.now()), { clock, window: 1, ...options });
}

const run = () => Promise.resolve({ result: {} });
const told = (isTold: boolean): Caller => ({ run, settle: () => isTold });
const end = (call: GatedCall): void => call.tell({ type: 'end', outcome: RAN });

describe('a call that waits for its caller', () => {
  it('runs for one that comes after it was approved, once', async () => {
    const call = gated();
    const approval = call.approve(APPROVAL);
    expect(call.state.phase.type).toBe('approved');
    const ran: string[] = [];
    const caller = (name: string): Caller => ({
      run: async () => ({ result: { n: ran.push(name) } }),
      settle: () => true,
    });
    call.join(caller('first'));
    expect(await approval).toEqual({ n: 1 });
    call.join(caller('second'));
    expect(ran).toEqual(['first']);
  });

  it('goes on waiting when the one who came has left again in the same breath', async () => {
    const call = gated();
    void call.approve(APPROVAL);
    const caller = told(true);
    call.join(caller);
    call.leave(caller);
    await Promise.resolve();
    expect(call.state.phase.type).toBe('approved');
    expect(call.isUnattended).toBe(true);
  });

  it('O-15: does not run when it was called off, also with a caller who is there', async () => {
    const withdrawn: string[] = [];
    const call = gated({ withdraw: (reason) => withdrawn.push(reason) });
    call.join(told(true));
    call.tell({ type: 'cancel', reason: CALLED_OFF });
    await expect(call.approve(APPROVAL)).rejects.toThrow(CALLED_OFF);
    expect(call.outcome).toEqual({ type: 'withdrawn', reason: CALLED_OFF });
    expect(withdrawn).toEqual([CALLED_OFF]);
  });

  it('calls the server only after what has to be known of it is kept', async () => {
    const order: string[] = [];
    const call = gated({
      beforeRun: async () => {
        await Promise.resolve();
        order.push('kept');
      },
    });
    call.join({ run: async () => ({ result: { n: order.push('run') } }) });
    await call.approve(APPROVAL);
    expect(order).toEqual(['kept', 'run']);
  });
});

describe('a call that is over', () => {
  it('is an earlier one for whoever makes it again if nobody was there to hear how', () => {
    const alone = gated();
    end(alone);
    expect(alone.state.isEarlier).toBe(true);
    const unreached = gated();
    unreached.join(told(false));
    end(unreached);
    expect(unreached.state.isEarlier).toBe(true);
  });

  it('is not while the caller that was told to come back for it is there', () => {
    const call = gated();
    const parked: Caller = { run };
    call.join(parked);
    end(call);
    expect(call.state.isEarlier).toBe(false);
    call.leave(parked);
    expect(call.state.isEarlier).toBe(true);
  });

  it('is an earlier one as long as nobody knows whether its caller has heard, and then until somebody has', async () => {
    for (const hasHeard of [true, false]) {
      const call = gated();
      let left = (_hasLeft: boolean): void => {};
      const leaving = new Promise<boolean>((resolve) => {
        left = resolve;
      });
      call.join({ run, settle: () => leaving });
      end(call);
      expect([call.state.isEarlier, call.state.isHeard, call.isOpen]).toEqual([true, false, true]);
      left(hasHeard);
      await leaving;
      expect([call.state.isEarlier, call.state.isHeard]).toEqual([true, hasHeard]);
      call.join(told(true));
      expect(call.state.isHeard).toBe(true);
    }
  });

  it('waits the whole window from when it is known that its caller has not heard', async () => {
    const clock = createTestClock();
    const call = gated({ clock, window: 100 });
    let left = (_hasLeft: boolean): void => {};
    const leaving = new Promise<boolean>((resolve) => {
      left = resolve;
    });
    call.join({ run, settle: () => leaving });
    end(call);
    clock.pass(1_000);
    left(false);
    await leaving;
    clock.pass(99);
    expect(call.isOpen).toBe(true);
    clock.pass(1);
    expect(call.isOpen).toBe(false);
  });
});
