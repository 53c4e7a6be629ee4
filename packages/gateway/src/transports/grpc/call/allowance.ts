/** Limits decompressed bytes: a rate per second, and a burst. */
export interface DecompressionAllowance {
  /** Whether anything may be decompressed now. */
  isLeft(): boolean;
  /** Takes from the allowance. One message may exceed it; the next ones wait. */
  use(bytes: number): void;
}

/** @param clock - milliseconds */
export function createAllowance(bytesPerSecond: number, clock: () => number): DecompressionAllowance {
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
