import type { Result } from '@proffer/core';
import type { Codec, Method } from '@proffer/wire';
import type { Party } from '../../../negotiation/index.js';
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
  admit(): Promise<Result<Party>>;
  /** The same for a call that stays: it counts as a stream of the token until it is over. */
  stay(): Promise<Result<Party>>;
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
    if (answer.ok) call.reply(frame(method.response.write(answer.value, PREFIX)));
    else call.refuse(answer.refusal);
  });
}

type Serve<Request> = (request: Result<Request>, caller: Caller) => Promise<void> | undefined;

/** An RPC with one request, which is handed over once the peer has said all. */
export function readOne<Request>(
  { path, request }: Pick<Method<Request>, 'path' | 'request'>,
  serve: Serve<Request>,
): Route {
  return {
    path,
    single: true,
    open: (caller) => new OneRequest(request, serve, caller),
  };
}

/** Takes the one request of a call. A class, since there is one for each call. */
class OneRequest<Request> implements Receiver {
  readonly #codec: Codec<Request>;
  readonly #serve: Serve<Request>;
  readonly #caller: Caller;
  #read: Result<Request> | undefined;

  constructor(codec: Codec<Request>, serve: Serve<Request>, caller: Caller) {
    this.#codec = codec;
    this.#serve = serve;
    this.#caller = caller;
  }

  take(message: Buffer): void {
    this.#read = this.#codec.read(message);
  }

  end(): void {
    const { call } = this.#caller;
    const read = this.#read;
    if (read === undefined) return call.finish('INTERNAL', 'The call has no request message.');
    // While it waits for its answer, nobody needs the bytes.
    this.#read = undefined;
    try {
      this.#serve(read, this.#caller)?.catch((error: unknown) => call.fail(error));
    } catch (error) {
      call.fail(error);
    }
  }
}
