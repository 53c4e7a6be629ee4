import type { JsonObject } from '@proffer/core/json';
import { answeredId, isRequest } from '../json-rpc.js';

/** Messages that a peer already has; each is dropped once when it comes again. */
export interface MessageTally {
  add(message: JsonObject): void;
  /** Whether the peer has this message; counts it off. */
  take(message: JsonObject): boolean;
}

/** Requests and answers are recognised by their id, since an answer may be spelled differently the second time. */
export function createMessageTally(): MessageTally {
  const counts = new Map<string, number>();
  return {
    add(message) {
      const key = keyOf(message);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    },
    take(message) {
      if (counts.size === 0) return false;
      const key = keyOf(message);
      const count = counts.get(key);
      if (count === undefined) return false;
      if (count === 1) counts.delete(key);
      else counts.set(key, count - 1);
      return true;
    },
  };
}

function keyOf(message: JsonObject): string {
  if (isRequest(message)) return `request ${typeof message.id} ${message.id}`;
  const id = answeredId(message);
  return id === undefined ? JSON.stringify(message) : `answer ${typeof id} ${id}`;
}
