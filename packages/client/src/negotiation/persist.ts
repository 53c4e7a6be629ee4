import { isLastAddress, type RetryOptions, retryDelay } from '../connection/backoff.js';
import type { TokenSource } from '../connection/connection.js';
import { limitTime } from './limit-time.js';
import { isGone, MacpError, retryAfterOf } from './macp-error.js';
import type { Attempt } from './transport.js';

/** The time limit of a call, and what aborts it earlier. */
export interface NegotiationCallOptions {
  /**
   * Aborts the call; it fails with the signal's reason. Whether the message was accepted is then
   * unknown.
   */
  readonly signal?: AbortSignal;
  /** Milliseconds for the call including retries. Default: the client's. */
  readonly timeout?: number;
}

/** How calls are retried. */
export interface Persistence {
  readonly token: TokenSource;
  /** False: once at each address. */
  readonly retry: RetryOptions | false;
  /** How many gateways there are to try, one after another. */
  readonly addresses: number;
  /** Milliseconds for a call including retries. */
  readonly timeout: number;
  /** Milliseconds for one attempt: then the connection counts as lost, and it is retried on another. */
  readonly attemptTimeout: number;
}

/** An attempt, and whether an earlier one may have got through. */
export interface Try extends Attempt {
  readonly isRepeated: boolean;
}

/**
 * Retries temporary failures until the call succeeds or the time is up. Fails with the last error,
 * with `TIMED_OUT` if there never was an answer, or with the signal's reason.
 */
export async function persist<Value>(
  { token, retry, addresses, timeout: usual, attemptTimeout }: Persistence,
  { signal, timeout = usual }: NegotiationCallOptions,
  attempt: (once: Try) => Promise<Value>,
): Promise<Value> {
  const deadline = Date.now() + timeout;
  for (let tries = 0; ; tries++) {
    signal?.throwIfAborted();
    const limit = limitTime(signal, Math.min(attemptTimeout, deadline - Date.now()));
    try {
      const current = typeof token === 'string' ? token : await token();
      return await limit.race(attempt({ token: current, signal: limit.signal, isRepeated: tries > 0 }));
    } catch (error) {
      if (signal?.aborted === true) throw signal.reason;
      const pauseBefore = waitAfter(error, tries, { retry, addresses });
      if (!(error instanceof MacpError) || pauseBefore === undefined) throw error;
      const wait = Math.max(retryAfterOf(error) ?? 0, pauseBefore);
      if (Date.now() + wait >= deadline) throw error;
      await pause(wait, signal);
    } finally {
      limit.release();
    }
  }
}

/**
 * Milliseconds to wait before a retry; `undefined` if it is pointless or no longer wanted. Another
 * gateway is tried at once.
 *
 * @param tries - how often it was tried before
 */
export function waitAfter(
  error: unknown,
  tries: number,
  { retry, addresses }: Pick<Persistence, 'retry' | 'addresses'>,
): number | undefined {
  if (!(error instanceof MacpError) || !error.retryable) return undefined;
  const places = isGone(error) ? addresses : 1;
  if (retry === false) return isLastAddress(tries, places) ? undefined : 0;
  return retryDelay(tries, retry, places);
}

/** Waits; fails with the signal's reason if it is aborted first. */
export function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', stop);
    if (signal?.aborted === true) stop();
  });
}
