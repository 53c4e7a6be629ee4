const FIRST = 500;
const LONGEST = 60_000;

/** The delay before a server is restarted, in milliseconds: doubled with each failure, up to a minute. */
export function restartDelay(failures: number): number {
  return Math.min(LONGEST, FIRST * 2 ** Math.min(failures, 20));
}
