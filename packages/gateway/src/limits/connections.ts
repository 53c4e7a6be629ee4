import { failure, type Result, refuse, success } from '@proffer/core';
import { createTally } from './tally.js';

/** Counts open connections of each credential. */
export interface ConnectionLimiter {
  /**
   * Counts a connection in; the function that is returned counts it out, once, however often it is
   * called. Refuses with `too_many_connections`.
   *
   * @param credential - the principal's credential id
   */
  readonly open: (credential: string) => Result<() => void>;
  readonly count: (credential: string) => number;
}

/** @param limit - connections that one credential may have open at the same time */
export function createConnectionLimiter(limit: number): ConnectionLimiter {
  const connections = createTally();
  return {
    open: (credential) => {
      const open = connections.count(credential);
      if (open >= limit) {
        const what = `The token has ${open} connections open, and may have ${limit}.`;
        return failure(refuse('too_many_connections', what, { limit, open }));
      }
      connections.add(credential);
      let isOpen = true;
      return success(() => {
        if (isOpen) connections.remove(credential);
        isOpen = false;
      });
    },
    count: connections.count,
  };
}
