/** Time, handed in so that tests need not wait. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls back once after that many milliseconds; returns how to call it off. */
  after(milliseconds: number, callback: () => void): () => void;
}

/** The machine's clock. What waits on it does not keep the process alive. */
export const SYSTEM_CLOCK: Clock = {
  now: Date.now,
  after(milliseconds, callback) {
    const timer = setTimeout(callback, milliseconds);
    timer.unref();
    return () => clearTimeout(timer);
  },
};
