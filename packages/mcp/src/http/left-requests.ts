import { AsyncLocalStorage } from 'node:async_hooks';
import type { JsonValue } from '@proffer/core/json';
import type { RpcId, RpcRequest } from '../json-rpc.js';
import type { StreamHooks } from './event-log.js';

/** An open response, and the requests whose answers it carries. */
export interface Carrier {
  readonly requests: Map<RpcId, RpcRequest>;
  /** Whether it has left completely; false as soon as it no longer can. */
  readonly isLeft: Promise<boolean>;
  /** The stream of the request, if it can be resumed. */
  stream?: string;
  isOver: boolean;
}

/** Which response carries the answers to a session's requests, across broken and resumed streams. */
export interface LeftRequests extends StreamHooks {
  /** Runs an action while a response is the one in which streams start or resume. */
  during<Result>(carrier: Carrier, work: () => Result): Result;
  /** A response has ended, and carries nothing any more. */
  end(carrier: Carrier): void;
  /** The client of a request is gone: the request is made again if the client resumes its stream. */
  leave(request: RpcRequest, carrier: Carrier): void;
  /** The client no longer wants the answer. */
  forget(id: JsonValue | undefined): void;
}

export interface LeftRequestsOptions {
  /** The answer to a request now goes with this response. */
  readonly carry: (request: RpcRequest, carrier: Carrier) => void;
  /** Makes a request again, after that. */
  readonly receive: (request: RpcRequest) => void;
}

/** The maximum number of remembered requests (I-7). */
const MAX_COUNT = 100;

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
      // A client often notices a broken stream before we do.
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
      if (left.size >= MAX_COUNT && oldest !== undefined) left.delete(oldest);
      left.set(request.id, { request, stream });
    },
    forget: (id) => void left.delete(id),
  };
}
