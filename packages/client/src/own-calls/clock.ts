/** Injected, so that tests need not wait. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls back once after that many milliseconds; returns a function that cancels it. */
  after(milliseconds: number, callback: () => void): () => void;
}

/** The system clock. Its timers do not keep the process alive. */
export const SYSTEM_CLOCK: Clock = {
  now: Date.now,
  after(milliseconds, callback) {
    const timer = setTimeout(callback, milliseconds);
    timer.unref();
    return () => clearTimeout(timer);
  },
};
