import type { Envelope } from '@proffer/core';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Message } from './message.js';
import { UnacknowledgedMessages } from './outbox.js';

afterEach(() => {
  vi.useRealTimers();
});

const message = (id: string): Envelope => ({ id, kind: 'k', from: 'me', payload: {} }) as unknown as Envelope;

/**
 * An outbox whose gateways accept everything and say nothing; leaving one connects to the next at once. Tests advance
 * the time from here to the end without waiting for anything, so that nobody else in this process sets a timer between.
 */
function silentGateways(gateways: number) {
  vi.useFakeTimers();
  const seen = { sent: 0, moves: 0 };
  const outbox: UnacknowledgedMessages = new UnacknowledgedMessages({
    gateways,
    transmit: () => {
      seen.sent++;
      return true;
    },
    onUnavailable: () => {
      seen.moves++;
      outbox.suspend();
      outbox.repeat();
    },
  });
  return { outbox, seen };
}

describe('an unanswered message', () => {
  it('O-16: that the gateway may ignore does not cause a switch, and counts as late', async () => {
    const { outbox, seen } = silentGateways(2);
    const late = outbox.put(message('a'), { silence: 30_000 });
    vi.advanceTimersByTime(30_000);
    expect(seen).toEqual({ sent: 1, moves: 0 });
    expect(vi.getTimerCount()).toBe(0);
    expect(await late).toEqual({ status: 'late', id: 'a' });
  });

  it('O-16: accumulates its silence over lost connections', async () => {
    const { outbox } = silentGateways(1);
    const late = outbox.put(message('a'), { silence: 30_000 });
    for (let connection = 0; connection < 4; connection++) {
      vi.advanceTimersByTime(7_400);
      outbox.suspend();
      // Nobody is there to answer.
      vi.advanceTimersByTime(60_000);
      expect(outbox.size).toBe(1);
      outbox.repeat();
    }
    // The last connection still gets a moment to answer.
    vi.advanceTimersByTime(900);
    expect(outbox.size).toBe(1);
    vi.advanceTimersByTime(100);
    expect(await late).toEqual({ status: 'late', id: 'a' });
  });

  it('is tried once at each gateway, then waits, and does not block newer ones', async () => {
    const { outbox, seen } = silentGateways(3);
    const first = outbox.put(message('a'));
    vi.advanceTimersByTime(600_000);
    expect(seen.moves).toBe(3);
    expect(vi.getTimerCount()).toBe(0);
    const second = outbox.put(message('b'));
    vi.advanceTimersByTime(600_000);
    expect(seen.moves).toBe(6);
    outbox.acknowledge({ id: 'a', wasRepeated: true }, 1);
    outbox.acknowledge({ id: 'b', wasRepeated: true }, 2);
    expect(await Promise.all([first, second])).toMatchObject([{ seq: 1 }, { seq: 2 }]);
  });

  it('causes no switch if there is only one gateway', () => {
    const { outbox, seen } = silentGateways(1);
    void outbox.put(message('a'));
    vi.advanceTimersByTime(60_000);
    expect(seen).toEqual({ sent: 1, moves: 0 });
  });
});

it('I-2, O-3: a message of another process with the same name and id acknowledges nothing unless it says the same', async () => {
  const { outbox } = silentGateways(1);
  const claimed = outbox.put({ ...message('p-began'), payload: { message: 'Started by process 1.' } });
  const other: Message = { ...message('p-began'), payload: { message: 'Started by process 2.' }, seq: 7 };
  expect(outbox.find(other)).toBeUndefined();
  const elsewhere = { ...message('p-began'), correlationId: 'other', payload: {}, seq: 7 };
  expect(outbox.find(elsewhere as unknown as Message)).toBeUndefined();
  const chat = { ...message('p-began'), kind: 'chat.message', payload: { text: 'hi' }, seq: 7 };
  expect(outbox.find(chat as unknown as Message)).toBeUndefined();
  expect(outbox.find(message('p-began#1'))).toBeUndefined();
  const own: Message = { ...message('p-began'), payload: { message: 'Started by process 1.' }, seq: 8 };
  expect(outbox.find(own)).toMatchObject({ id: 'p-began' });
  const conflict = { kind: 'system.error', correlationId: 'p-began', payload: { error: 'id_conflict' } };
  outbox.refuse(conflict as unknown as Message);
  await expect(claimed).rejects.toMatchObject({ code: 'id_conflict' });
});

describe('a message about several proposals', () => {
  const outcomes = (...all: readonly object[]): Message =>
    ({ kind: 'system.outcomes', correlationId: 'b', payload: { outcomes: all } }) as unknown as Message;

  it('O-35: is settled by all its outcomes, and sent again while a part could not be stored', async () => {
    const { outbox, seen } = silentGateways(1);
    const settled = outbox.put(message('b'), { isBatch: true });
    const waiting = outbox.find({ ...message('b#1') });
    if (waiting !== undefined) outbox.acknowledge(waiting, 4);
    const accepted = { id: 'b#1', proposal: 'p1', status: 'accepted', seq: 4 };
    const error = { code: 'unavailable', message: 'No room.', details: {} };
    outbox.conclude(outcomes(accepted, { id: 'b#2', proposal: 'p2', status: 'refused', error }));
    vi.advanceTimersByTime(1_000);
    expect([seen.sent, outbox.size]).toEqual([2, 1]);
    const later = [
      { ...accepted, status: 'duplicate' },
      { id: 'b#2', proposal: 'p2', status: 'accepted', seq: 5 },
    ];
    outbox.conclude(outcomes(...later));
    expect(vi.getTimerCount()).toBe(0);
    expect(await settled).toEqual({ status: 'accepted', id: 'b', seq: 5, outcomes: later });
  });
});
