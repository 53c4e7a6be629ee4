import { hideInText } from '@proffer/core/secrets';
import type { Exchange } from './connection/exchange.js';
import type { ConnectionClosedError } from './connection-errors.js';
import { isOutcome, RefusedError } from './errors.js';

/** A set of listeners. */
export interface Listeners<Value> {
  /** Returns an unsubscribe function. */
  add(listener: (value: Value) => void): () => void;
  tell(value: Value): void;
  readonly size: number;
}

/** @param onFault - called with what a listener throws, so that the others are still called */
export function createListeners<Value>(onFault: (error: unknown) => void): Listeners<Value> {
  const listeners = new Set<(value: Value) => void>();
  return {
    add(listener) {
      // A new function each time, so that adding one twice and removing it once leaves one.
      const own = (value: Value): void => listener(value);
      listeners.add(own);
      return () => listeners.delete(own);
    },
    tell(value) {
      for (const listener of listeners) {
        try {
          listener(value);
        } catch (error) {
          onFault(error);
        }
      }
    },
    get size() {
      return listeners.size;
    },
  };
}

/** For errors in user code that no one handles: rethrown separately. */
export function throwLater(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}

/**
 * For the end of a connection that nobody handles: the program continues if it has something else to
 * do, and otherwise exits with 1, so that its caller knows.
 */
export function warnOfEnd(error: Error): void {
  warn(error);
  const { process } = globalThis as { readonly process?: { exitCode?: number | string | null | undefined } };
  if (process !== undefined) process.exitCode ??= 1;
}

/** For a refusal without a listener: it should neither end the program nor be lost. */
export function warn(error: Error): void {
  // oxlint-disable-next-line no-console -- the only place there is when nobody listens
  console.error(`proffer: ${hideInText(error.message)}`);
}

/** Errors outside any call that could fail with them. */
export interface Faults {
  readonly errors: Listeners<unknown>;
  readonly onFault: (error: unknown) => void;
  /** The end of the connection. Callers that ask for it are expected to report it. */
  readonly closed: Promise<ConnectionClosedError>;
}

/** Reports to the listeners; without any, nothing is lost silently, not even the end of the connection. */
export function createFaults({ endings, over }: Pick<Exchange, 'endings' | 'over'>): Faults {
  const errors = createListeners<unknown>(throwLater);
  let isEndAwaited = false;
  const onFault = (error: unknown): void => {
    if (errors.size > 0) errors.tell(error);
    else if (error instanceof RefusedError) warn(error);
    else if (!isOutcome(error)) throwLater(error);
  };
  endings.add((reason) => {
    if (reason.reason === 'closed' || isEndAwaited) return;
    if (errors.size > 0) errors.tell(reason);
    else warnOfEnd(reason);
  });
  return {
    errors,
    onFault,
    get closed() {
      isEndAwaited = true;
      return over;
    },
  };
}
