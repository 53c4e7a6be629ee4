import { describe, expect, it } from 'vitest';
import { createInputThrottle, type InputThrottle } from './input-throttle.js';

/** A connection that reports whether it is read, and when it is no longer throttled. */
function connection(): {
  readonly reading: InputThrottle;
  readonly isRead: () => boolean;
  readonly released: Promise<void>;
} {
  const socket = {
    isPaused: false,
    pause: () => {
      socket.isPaused = true;
    },
    resume: () => {
      socket.isPaused = false;
    },
  };
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { reading: createInputThrottle(socket, release), isRead: () => !socket.isPaused, released };
}

const RATE_LIMITED = { details: { limit: 10, period_ms: 1_000, retry_after_ms: 1 } };

describe('reading from a peer', () => {
  it('I-7: pauses for a moment after a repeated message', async () => {
    const { reading, isRead, released } = connection();
    reading.slowDown();
    reading.slowDown();
    expect(isRead()).toBe(false);
    await released;
    expect(reading.isHeldBack()).toBe(false);
    expect(isRead()).toBe(true);
  });

  it('I-7: pauses equally long after too many messages, whatever else was sent', async () => {
    const slow = connection();
    const first = connection();
    const then = connection();
    slow.reading.slowDown();
    first.reading.holdBack(RATE_LIMITED);
    first.reading.slowDown();
    then.reading.slowDown();
    then.reading.holdBack(RATE_LIMITED);
    await slow.released;
    expect([first.isRead(), then.isRead()]).toEqual([false, false]);
    await Promise.all([first.released, then.released]);
    expect([first.reading.isHeldBack(), then.reading.isHeldBack()]).toEqual([false, false]);
  });

  it('I-7: pauses longer than a moment for a limit without a period', async () => {
    const slow = connection();
    const limited = connection();
    limited.reading.holdBack({ details: {} });
    slow.reading.slowDown();
    await slow.released;
    expect(limited.isRead()).toBe(false);
    await limited.released;
  });

  it('I-7: pauses with too much undecided, resumes with less, and not while throttled', async () => {
    const { reading, isRead, released } = connection();
    for (let count = 0; count <= 1_024; count++) reading.begin(10);
    expect(isRead()).toBe(false);
    reading.slowDown();
    reading.end(10);
    expect(isRead()).toBe(false);
    await released;
    expect(isRead()).toBe(true);
  });
});
