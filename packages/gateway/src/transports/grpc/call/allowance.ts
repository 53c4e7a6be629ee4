/** How many bytes may be unpacked: so many each second, and so many at once. */
export interface Allowance {
  /** Whether anything may be unpacked now. */
  isLeft(): boolean;
  /** So many were. One message may be more than what was left; the next ones wait for it. */
  use(bytes: number): void;
}

/** @param clock - milliseconds */
export function createAllowance(bytesPerSecond: number, clock: () => number): Allowance {
  let left = bytesPerSecond;
  let at = clock();
  return {
    isLeft() {
      const now = clock();
      left = Math.min(bytesPerSecond, left + (Math.max(0, now - at) / 1_000) * bytesPerSecond);
      at = now;
      return left > 0;
    },
    use(bytes) {
      left -= bytes;
    },
  };
}
