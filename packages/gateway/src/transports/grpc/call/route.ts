import { failure, type Result, refuse } from '@proffer/core';
import type { Method } from '@proffer/wire';
import { STRANGER_BYTES } from '../../../door/index.js';
import type { NegotiationCaller, NegotiationCalls } from '../../../negotiation/index.js';
import { frame, type GrpcCall } from './call.js';
import { PREFIX } from './message-reader.js';

/** Receives the messages of one call. */
export interface Receiver {
  /** The bytes are only valid during the call. */
  take(message: Buffer): void;
  /** The peer has half-closed. */
  end(): void;
}

/** A caller, with what the calls of its connection share. */
export interface GrpcCaller {
  readonly call: GrpcCall;
  /** The owner of its token, if it was determined before reading. */
  readonly admitted: Result<NegotiationCaller> | undefined;
  /**
   * What it may ask with one request; call it before decoding. Refuses with `UNAUTHENTICATED`, or
   * `RATE_LIMITED`.
   */
  checkRightsAndRate(): Result<NegotiationCalls>;
  /** Admits a long-lived call: it counts as a stream of the token until it ends. */
  stay(): Promise<Result<NegotiationCaller>>;
}

/** One RPC and its handler. */
export interface GrpcRoute {
  readonly path: string;
  /** Whether it is served before the journal is replayed, and while the gateway closes. */
  readonly always?: boolean;
  /**
   * Who is served. Without a token, only small messages are read. `told` also serves callers with an invalid token, but
   * only to tell them so. Default: callers with a valid token, which is checked before anything is read (I-7).
   */
  readonly access?: 'everybody' | 'told';
  /** Whether there is exactly one request. */
  readonly single: boolean;
  open(caller: GrpcCaller): Receiver;
}

type Answer<Response> = Result<Response> | Promise<Result<Response>>;

/**
 * An RPC with one request and one response, for callers with a valid token. A refusal ends it with its
 * status.
 */
export function unary<Request, Response>(
  method: Method<Request, Response, 'unary'>,
  handle: (calls: NegotiationCalls, request: Request) => Answer<Response>,
): GrpcRoute {
  return asParty(method, async (calls, request, { call }) => {
    reply(method, call, await handle(calls, request));
  });
}

/** An RPC for everyone, even without a token. */
export function unaryForAll<Request, Response>(
  method: Method<Request, Response, 'unary'>,
  handle: (request: Request) => Answer<Response>,
): GrpcRoute {
  const route = readOne(method, async (request, { call }) => {
    reply(method, call, request.ok ? await handle(request.value) : request);
  });
  return { ...route, access: 'everybody' };
}

function reply<Response>(
  { response }: Pick<Method<unknown, Response>, 'response'>,
  call: GrpcCall,
  answer: Result<Response>,
): void {
  if (answer.ok) call.reply(frame(response.write(answer.value, PREFIX)));
  else call.refuse(answer.refusal);
}

/** An RPC with one request, for callers with a valid token; malformed ones are refused, and counted. */
export function asParty<Request>(
  method: Pick<Method<Request>, 'path' | 'request'>,
  serve: (calls: NegotiationCalls, request: Request, caller: GrpcCaller) => Promise<void>,
): GrpcRoute {
  return readAttempt(method, (attempt, request, caller) => {
    const { call, admitted } = caller;
    if (attempt.ok && request.ok) return serve(attempt.value, request.value, caller);
    if (attempt.ok && admitted?.ok === true && !request.ok) admitted.value.countRefusal(request.refusal.code);
    const refused = attempt.ok ? request : attempt;
    if (!refused.ok) call.refuse(refused.refusal);
    return undefined;
  });
}

type RequestOf<Request> = Pick<Method<Request>, 'path' | 'request'>;

/** An RPC with one request, which is delivered once the peer has half-closed. */
export function readOne<Request>(
  { path, request }: RequestOf<Request>,
  serve: (request: Result<Request>, caller: GrpcCaller) => Promise<void> | undefined,
): GrpcRoute {
  const open = (caller: GrpcCaller): Receiver =>
    new OneRequest(
      caller,
      (message) => request.read(message),
      (read) => serve(read, caller),
    );
  return { path, single: true, open };
}

/** An RPC for callers with a valid token: their right is checked before the request is decoded. */
export function readAttempt<Request>(
  { path, request }: RequestOf<Request>,
  serve: (
    attempt: Result<NegotiationCalls>,
    request: Result<Request>,
    caller: GrpcCaller,
  ) => Promise<void> | undefined,
): GrpcRoute {
  const open = (caller: GrpcCaller): Receiver =>
    new OneRequest(
      caller,
      (message) => {
        const attempt = caller.checkRightsAndRate();
        // A refused message is read only if it is small, to name it in the answer.
        const isRead = attempt.ok || message.length <= STRANGER_BYTES;
        return { attempt, request: isRead ? request.read(message) : NOT_READ };
      },
      (read) => serve(read.attempt, read.request, caller),
    );
  return { path, single: true, open };
}

const NOT_READ = failure(refuse('INVALID_ENVELOPE', 'The request was not read.'));

/** Receives the only request of a call. A class, since there is one per call. */
class OneRequest<Read> implements Receiver {
  readonly #caller: GrpcCaller;
  readonly #decode: (message: Buffer) => Read;
  readonly #serve: (read: Read) => Promise<void> | undefined;
  #read: Read | undefined;

  constructor(
    caller: GrpcCaller,
    decode: (message: Buffer) => Read,
    serve: (read: Read) => Promise<void> | undefined,
  ) {
    this.#caller = caller;
    this.#decode = decode;
    this.#serve = serve;
  }

  take(message: Buffer): void {
    this.#read = this.#decode(message);
  }

  end(): void {
    const { call } = this.#caller;
    const read = this.#read;
    if (read === undefined) return call.finish('INTERNAL', 'The call has no request message.');
    // While it waits for its answer, the bytes are not needed.
    this.#read = undefined;
    try {
      this.#serve(read)?.catch((error: unknown) => call.fail(error));
    } catch (error) {
      call.fail(error);
    }
  }
}
