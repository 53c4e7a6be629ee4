import type { JsonObject } from '@proffer/core/json';
import { isRequest, objectAt, paramsOf, type RpcId } from '../json-rpc.js';

/** Which request of a client a message of the server belongs to, as far as that can be told from outside. */
export interface RelatedRequests {
  /** Sees a message of the client. */
  readonly note: (message: JsonObject) => void;
  /** The request that a message to the client goes with; `undefined` if there is none open. */
  readonly relatedTo: (message: JsonObject) => RpcId | undefined;
}

/** Progress names its request by a token; what names none goes with the request that was made last. */
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
