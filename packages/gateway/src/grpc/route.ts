import type { Result } from '@proffer/core';
import type { Method } from '@proffer/wire';
import type { Party } from '../negotiation/runtime.js';
import { type Call, frame } from './call.js';
import { PREFIX } from './message-reader.js';

/** What takes the messages of one call. */
export interface Receiver {
  /** The bytes are only good until it returns. */
  take(message: Buffer): void;
  /** The peer has said all. */
  end(): void;
}

/** Somebody who calls, and what of it is shared by the calls of its connection. */
export interface Caller {
  readonly call: Call;
  /** Who its token stands for, where that was found out before anything was read. */
  readonly admitted: Result<Party> | undefined;
  /** Who its token stands for. Refuses with `UNAUTHENTICATED`. */
  readonly admit: () => Promise<Result<Party>>;
  /** The same for a call that stays: it counts as a connection of the token until it is over. */
  readonly stay: () => Promise<Result<Party>>;
}

/** One RPC and who serves it. */
export interface Route {
  readonly path: string;
  /** Whether it is served before the journal is replayed, and while the gateway closes. */
  readonly always?: boolean;
  /**
   * Who is served. Without a token, only small messages are read. `told` is for those whose token does
   * not count as well, but only to tell them so. Default: whose token counts, which is looked at before
   * anything is read (I-7).
   */
  readonly access?: 'everybody' | 'told';
  /** Whether there is exactly one request. */
  readonly single: boolean;
  open(caller: Caller): Receiver;
}

/** What is done for a request, or why not. */
export type Handle<Request, Response> = (
  request: Request,
  caller: Caller,
) => Result<Response> | Promise<Result<Response>>;

/** An RPC with one request and one response. A refusal ends it with its status. */
export function unary<Request, Response>(
  method: Method<Request, Response, 'unary'>,
  handle: Handle<Request, Response>,
): Route {
  return readOne(method, async (request, caller) => {
    const { call } = caller;
    if (!request.ok) return call.refuse(request.refusal);
    const answer = await handle(request.value, caller);
    if (answer.ok) reply(call, frame(method.response.write(answer.value, PREFIX)));
    else call.refuse(answer.refusal);
  });
}

/** An RPC with one request, which is handed over once the peer has said all. */
export function readOne<Request>(
  { path, request }: Pick<Method<Request>, 'path' | 'request'>,
  serve: (request: Result<Request>, caller: Caller) => Promise<void> | undefined,
): Route {
  return {
    path,
    single: true,
    open(caller) {
      let read: Result<Request> | undefined;
      return {
        take(message) {
          read = request.read(message);
        },
        end() {
          const { call } = caller;
          if (read === undefined)
            return call.finish('INTERNAL', 'There is no request where there has to be one.');
          serve(read, caller)?.catch((error: unknown) => call.fail(error));
        },
      };
    },
  };
}

/** Sends the one response of a call and ends it. */
export function reply(call: Call, response: Buffer): void {
  // Who asks and does not read makes us hold the answers (I-7).
  if (!call.budget.take(response.length)) {
    call.finish('RESOURCE_EXHAUSTED', 'RATE_LIMITED: Too many answers of this connection are unread.');
    return;
  }
  call.onOver(() => call.budget.give(response.length));
  call.reply(response);
}
