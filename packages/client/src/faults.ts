import type { Exchange } from './connection/exchange.js';
import type { ConnectionClosedError } from './connection-errors.js';
import { isOutcome, RefusedError } from './errors.js';
import { createListeners, type Listeners, throwLater, warn, warnOfEnd } from './listeners.js';

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
