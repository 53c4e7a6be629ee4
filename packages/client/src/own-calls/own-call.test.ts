import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { askedCall } from './call-state.js';
import type { WaitingClient } from './caller.js';
import { CALLED_OFF } from './decide.js';
import type { OwnCallOutcome } from './outcome.js';
import { OwnCall, type OwnCallOptions } from './own-call.js';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const RAN: OwnCallOutcome = { type: 'ran', result: { content: [] }, by: 'reviewer', edit: [] };
const FACTS = { id: 'p', arguments: {}, createdAt: 0 };
const APPROVAL = { by: 'reviewer', arguments: {} };

function own(options: Partial<OwnCallOptions> = {}): OwnCall {
  return new OwnCall(askedCall(FACTS, Date.now()), { window: 1, ...options });
}

const run = () => Promise.resolve({ result: {} });
const told = (isTold: boolean): WaitingClient => ({ run, settle: () => isTold });
const end = (call: OwnCall): void => call.tell({ type: 'end', outcome: RAN });

describe('call waiting for its caller', () => {
  it('runs once for a caller that comes after the approval', async () => {
    const call = own();
    const approval = call.approve(APPROVAL);
    expect(call.state.phase.type).toBe('approved');
    const ran: string[] = [];
    const caller = (name: string): WaitingClient => ({
      run: async () => ({ result: { n: ran.push(name) } }),
      settle: () => true,
    });
    call.join(caller('first'));
    expect(await approval).toEqual({ n: 1 });
    call.join(caller('second'));
    expect(ran).toEqual(['first']);
  });

  it('keeps waiting if the caller leaves again in the same turn', async () => {
    const call = own();
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
    const call = own({ withdraw: (reason) => withdrawn.push(reason) });
    call.join(told(true));
    call.tell({ type: 'cancel', reason: CALLED_OFF });
    await expect(call.approve(APPROVAL)).rejects.toThrow(CALLED_OFF);
    expect(call.outcome).toEqual({ type: 'withdrawn', reason: CALLED_OFF });
    expect(withdrawn).toEqual([CALLED_OFF]);
  });

  it('calls the server only after the necessary facts are stored', async () => {
    const order: string[] = [];
    const call = own({
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
    const alone = own();
    end(alone);
    expect(alone.state.isEarlier).toBe(true);
    const unreached = own();
    unreached.join(told(false));
    end(unreached);
    expect(unreached.state.isEarlier).toBe(true);
  });

  it('does not count as earlier while the caller that was told to come back is there', () => {
    const call = own();
    const parked: WaitingClient = { run };
    call.join(parked);
    end(call);
    expect(call.state.isEarlier).toBe(false);
    call.leave(parked);
    expect(call.state.isEarlier).toBe(true);
  });

  it('counts as earlier until delivery to its caller is confirmed', async () => {
    for (const hasHeard of [true, false]) {
      const call = own();
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
    const call = own({ window: 100 });
    let left = (_hasLeft: boolean): void => {};
    const leaving = new Promise<boolean>((resolve) => {
      left = resolve;
    });
    call.join({ run, settle: () => leaving });
    end(call);
    vi.advanceTimersByTime(1_000);
    left(false);
    await leaving;
    vi.advanceTimersByTime(99);
    expect(call.isOpen).toBe(true);
    vi.advanceTimersByTime(1);
    expect(call.isOpen).toBe(false);
  });
});
