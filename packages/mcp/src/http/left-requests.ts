import { AsyncLocalStorage } from 'node:async_hooks';
import type { JsonValue } from '@proffer/core/json';
import type { RpcId, RpcRequest } from '../json-rpc.js';
import type { StreamHooks } from './event-log.js';

/** A response that is open, and the requests whose answers it carries. */
export interface OpenResponse {
  readonly requests: Map<RpcId, RpcRequest>;
  /** Whether it has left to its end; false as soon as it cannot any more. */
  readonly isLeft: Promise<boolean>;
  /** The stream that it carries, where there is one that can be gone on with. */
  stream?: string;
  isOver: boolean;
}

/** Requests of one session whose stream broke before they were answered, until their client goes on with it. */
export interface LeftRequests extends StreamHooks {
  /** Does something while a response is the one that streams begin in, or go on in. */
  during<Result>(response: OpenResponse, work: () => Result): Result;
  /** The client of a request is gone: the request is made again if the client goes on with its stream. */
  leave(id: RpcId, response: OpenResponse): void;
  /** The client does not want the answer any more. */
  forget(id: JsonValue | undefined): void;
}

/** Requests that are remembered, at most (I-7). */
const MOST = 100;

/** @param again - makes a request again, as if it came with the response that is given */
export function createLeftRequests(
  again: (request: RpcRequest, response: OpenResponse) => void,
): LeftRequests {
  const current = new AsyncLocalStorage<OpenResponse>();
  const left = new Map<JsonValue | undefined, { readonly request: RpcRequest; readonly stream: string }>();
  return {
    during: (response, work) => current.run(response, work),
    onOpened(stream) {
      const response = current.getStore();
      if (response !== undefined) response.stream = stream;
    },
    onResumed(stream) {
      const response = current.getStore();
      if (response === undefined || response.isOver) return;
      response.stream = stream;
      for (const [id, one] of left) {
        if (one.stream !== stream) continue;
        left.delete(id);
        again(one.request, response);
      }
    },
    leave(id, { requests, stream }) {
      const request = requests.get(id);
      if (request === undefined || stream === undefined) return;
      const [oldest] = left.keys();
      if (left.size >= MOST && oldest !== undefined) left.delete(oldest);
      left.set(id, { request, stream });
    },
    forget: (id) => void left.delete(id),
  };
}
