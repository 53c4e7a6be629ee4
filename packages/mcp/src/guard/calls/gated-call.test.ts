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

describe('call waiting for its caller', () => {
  it('runs once for a caller that comes after the approval', async () => {
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

  it('keeps waiting if the caller leaves again in the same turn', async () => {
    const call = gated();
    void call.approve(APPROVAL);
    const caller = told(true);
    call.join(caller);
    call.leave(caller);
    await Promise.resolve();
    expect(call.state.phase.type).toBe('approved');
    expect(call.isUnattended).toBe(true);
  });

  it('O-15: does not run when it was cancelled, even if a caller is there', async () => {
    const withdrawn: string[] = [];
    const call = gated({ withdraw: (reason) => withdrawn.push(reason) });
    call.join(told(true));
    call.tell({ type: 'cancel', reason: CALLED_OFF });
    await expect(call.approve(APPROVAL)).rejects.toThrow(CALLED_OFF);
    expect(call.outcome).toEqual({ type: 'withdrawn', reason: CALLED_OFF });
    expect(withdrawn).toEqual([CALLED_OFF]);
  });

  it('calls the server only after the necessary facts are stored', async () => {
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

describe('finished call', () => {
  it('counts as earlier for a repeated call if nobody was there for the outcome', () => {
    const alone = gated();
    end(alone);
    expect(alone.state.isEarlier).toBe(true);
    const unreached = gated();
    unreached.join(told(false));
    end(unreached);
    expect(unreached.state.isEarlier).toBe(true);
  });

  it('does not count as earlier while the caller that was told to come back is there', () => {
    const call = gated();
    const parked: Caller = { run };
    call.join(parked);
    end(call);
    expect(call.state.isEarlier).toBe(false);
    call.leave(parked);
    expect(call.state.isEarlier).toBe(true);
  });

  it('counts as earlier until delivery to its caller is confirmed', async () => {
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

  it('waits the whole window from when delivery is known to have failed', async () => {
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
