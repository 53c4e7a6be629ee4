/** How long to wait before reconnecting, in milliseconds. */
export interface RetryOptions {
  /** Before the first retry. Default 250. */
  readonly delay?: number;
  /** The delay doubles with each retry up to this. Default 15 000. */
  readonly maxDelay?: number;
}

/**
 * How long a connection must have been up, in milliseconds, for its loss to count as the first again.
 * Otherwise a gateway that accepts everybody and then drops them would be asked endlessly without a
 * pause.
 */
const STEADY = 5_000;

/** Which retry follows a loss: the first one after a connection that was up for a while, else the next. */
export function tryAfter(attempt: number, uptime: number): number {
  return uptime >= STEADY ? 0 : attempt;
}

/**
 * The wait before a retry, counted from 0: doubled each time, minus a random part of up to half, so
 * that clients do not all come at once.
 *
 * @param addresses - how many gateways there are to try: there is no wait before all of them were
 * tried
 */
export function retryDelay(
  attempt: number,
  { delay = 250, maxDelay = 15_000 }: RetryOptions = {},
  addresses = 1,
): number {
  if (!isLastAddress(attempt, addresses)) return 0;
  const round = Math.floor(attempt / addresses);
  const longest = Math.min(maxDelay, delay * 2 ** Math.min(round, 30));
  return longest * (0.5 + Math.random() / 2);
}

/** Whether an attempt, counted from 0, was at the last of the addresses. */
export function isLastAddress(attempt: number, addresses: number): boolean {
  return (attempt + 1) % addresses === 0;
}
