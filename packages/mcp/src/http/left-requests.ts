import { AsyncLocalStorage } from 'node:async_hooks';
import type { JsonValue } from '@proffer/core/json';
import type { RpcId, RpcRequest } from '../json-rpc.js';
import type { StreamHooks } from './event-log.js';

/** A response that is open, and the requests whose answers it carries. */
export interface Carrier {
  readonly requests: Map<RpcId, RpcRequest>;
  /** Whether it has left to its end; false as soon as it cannot any more. */
  readonly isLeft: Promise<boolean>;
  /** The stream that it carries, where there is one that can be gone on with. */
  stream?: string;
  isOver: boolean;
}

/** Which response carries the answers to the requests of one session, over streams that break and are gone on with. */
export interface LeftRequests extends StreamHooks {
  /** Does something while a response is the one that streams begin in, or go on in. */
  during<Result>(carrier: Carrier, work: () => Result): Result;
  /** A response is over, and carries nothing any more. */
  end(carrier: Carrier): void;
  /** The client of a request is gone: the request is made again if the client goes on with its stream. */
  leave(request: RpcRequest, carrier: Carrier): void;
  /** The client does not want the answer any more. */
  forget(id: JsonValue | undefined): void;
}

export interface LeftRequestsOptions {
  /** The answer to a request now goes with this response. */
  readonly carry: (request: RpcRequest, carrier: Carrier) => void;
  /** Makes a request again, after that. */
  readonly receive: (request: RpcRequest) => void;
}

/** Requests that are remembered, at most (I-7). */
const MOST = 100;

export function createLeftRequests({ carry, receive }: LeftRequestsOptions): LeftRequests {
  const current = new AsyncLocalStorage<Carrier>();
  /** The response that carries a stream now. */
  const carriers = new Map<string, Carrier>();
  const left = new Map<JsonValue | undefined, { readonly request: RpcRequest; readonly stream: string }>();

  function take(stream: string): Carrier | undefined {
    const carrier = current.getStore();
    if (carrier === undefined || carrier.isOver) return undefined;
    carrier.stream = stream;
    carriers.set(stream, carrier);
    return carrier;
  }

  return {
    during: (carrier, work) => current.run(carrier, work),
    onOpened: (stream) => void take(stream),
    onResuming(stream) {
      const before = carriers.get(stream);
      const carrier = take(stream);
      if (carrier === undefined || before === undefined) return;
      // What breaks a stream is often seen by its client first.
      for (const request of before.requests.values()) carry(request, carrier);
      before.requests.clear();
    },
    onResumed(stream) {
      const carrier = carriers.get(stream);
      if (carrier === undefined || carrier.isOver) return;
      for (const [id, { request, stream: own }] of left) {
        if (own !== stream) continue;
        left.delete(id);
        carry(request, carrier);
        receive(request);
      }
    },
    end(carrier) {
      carrier.isOver = true;
      if (carrier.stream !== undefined && carriers.get(carrier.stream) === carrier)
        carriers.delete(carrier.stream);
    },
    leave(request, { stream }) {
      if (stream === undefined) return;
      const [oldest] = left.keys();
      if (left.size >= MOST && oldest !== undefined) left.delete(oldest);
      left.set(request.id, { request, stream });
    },
    forget: (id) => void left.delete(id),
  };
}
