/** How long to wait before coming back, in milliseconds. */
export interface RetryOptions {
  /** Before the first try. Default 250. */
  readonly delay?: number;
  /** It doubles with each try up to this. Default 15 000. */
  readonly maxDelay?: number;
}

/** The wait before a try, counted from 0: doubled each time, and by chance up to half of it less, so that not all come at once. */
export function retryDelay(attempt: number, { delay = 250, maxDelay = 15_000 }: RetryOptions = {}): number {
  const longest = Math.min(maxDelay, delay * 2 ** Math.min(attempt, 30));
  return longest * (0.5 + Math.random() / 2);
}
