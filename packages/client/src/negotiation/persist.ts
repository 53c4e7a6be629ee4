import { isRoundOver, type RetryOptions, retryDelay } from '../connection/backoff.js';
import type { TokenSource } from '../connection/connection.js';
import { limitTime } from './limit-time.js';
import { isGone, MacpError, retryAfterOf } from './macp-error.js';
import type { Attempt } from './transport.js';

/** How long a call may take, and what ends it before. */
export interface CallOptions {
  /** Ends the call; it fails with the signal's reason. Whether the message was accepted is then not known. */
  readonly signal?: AbortSignal;
  /** Milliseconds for the call with all its tries. Default that of the client. */
  readonly timeout?: number;
}

/** How calls are tried. */
export interface Persistence {
  readonly token: TokenSource;
  /** False: once at each address. */
  readonly retry: RetryOptions | false;
  /** How many gateways there are to try, one after another. */
  readonly addresses: number;
  /** Milliseconds for a call with all its tries. */
  readonly timeout: number;
  /** Milliseconds for one try: then the connection counts as lost, and it is tried on another. */
  readonly attemptTimeout: number;
}

/** A try, and whether there was one before that may have got through. */
export interface Try extends Attempt {
  readonly isRepeated: boolean;
}

/**
 * Retries temporary failures until it works or the time is up. Fails with the last error, with `TIMED_OUT` if there
 * never was an answer, with the signal's reason.
 */
export async function persist<Value>(
  { token, retry, addresses, timeout: usual, attemptTimeout }: Persistence,
  { signal, timeout = usual }: CallOptions,
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
 * Milliseconds to wait before a retry; `undefined` if it is pointless or no longer wanted. Another gateway is tried at
 * once.
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
  if (retry === false) return isRoundOver(tries, places) ? undefined : 0;
  return retryDelay(tries, retry, places);
}

/** Waits; fails with the reason of the signal if that comes first. */
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
