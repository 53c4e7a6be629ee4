import type { JsonObject } from '@proffer/core/json';
import { isRequest, objectAt, paramsOf, type RpcId } from '../json-rpc.js';

/** The client request that a server message belongs to, as far as visible from outside. */
export interface RelatedRequests {
  /** Observes a client message. */
  readonly note: (message: JsonObject) => void;
  /** The request that a message to the client belongs to; `undefined` if none is open. */
  readonly relatedTo: (message: JsonObject) => RpcId | undefined;
}

/** Progress names its request by a token; anything else belongs to the latest request. */
export function createRelatedRequests(): RelatedRequests {
  const open = new Map<RpcId, RpcId | undefined>();
  return {
    note(message) {
      if (!isRequest(message)) return;
      const { progressToken } = objectAt(paramsOf(message), '_meta');
      const isToken = typeof progressToken === 'string' || typeof progressToken === 'number';
      open.set(message.id, isToken ? progressToken : undefined);
    },
    relatedTo(message) {
      const { id, method } = message;
      if (method === undefined) {
        if (typeof id === 'string' || typeof id === 'number') open.delete(id);
        return undefined;
      }
      if (method === 'notifications/progress') {
        const { progressToken } = paramsOf(message);
        for (const [request, token] of open) if (token === progressToken) return request;
      }
      return [...open.keys()].at(-1);
    },
  };
}
