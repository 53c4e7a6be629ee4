import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2';
import { type Result, success } from '@proffer/core';
import { quote } from '@proffer/core/json';
import { bearerToken, STRANGER_BYTES } from '../../door/index.js';
import type { NegotiationCaller, Negotiations } from '../../negotiation/index.js';
import { createAdmission } from './admission.js';
import {
  createAllowance,
  createBudget,
  createCall,
  createMessageReader,
  createUnreadByToken,
  ENCODINGS,
  type Encoding,
  type GrpcCall,
  GrpcInput,
  type GrpcRoute,
  timeoutOf,
  type Unfinished,
} from './call/index.js';

interface ConnectionOptions {
  readonly negotiations: Negotiations;
  readonly routes: ReadonlyMap<string, GrpcRoute>;
  /** Calls with an incomplete request; shared by all connections. */
  readonly unfinished: Unfinished;
  /** Milliseconds. */
  readonly clock: () => number;
  /** Maximum size of one message. */
  readonly maxBytes: number;
  /** Maximum bytes that the calls of one connection may make the gateway buffer. */
  readonly maxHeld: number;
  readonly isReady: () => boolean;
  readonly onFault: (error: unknown, path: string) => void;
  /** Called once, with the first valid token. */
  readonly onAdmitted: () => void;
}

/** The buffer limit for callers without a valid token. */
const SMALL_HELD = 262_144;

/** Maximum decompressed bytes per connection and second. */
const UNPACKED = 33_554_432;

/** Serves the calls of one HTTP/2 connection: finds the route, and passes it the messages. */
export function serveConnection(options: ConnectionOptions) {
  const { negotiations, routes, unfinished, maxBytes, maxHeld, isReady, onFault, clock } = options;
  const atFirst = Math.min(SMALL_HELD, maxHeld);
  const budget = createBudget(atFirst);
  const unreadOf = createUnreadByToken(maxHeld);
  const unpacking = createAllowance(UNPACKED, clock);
  const admission = createAdmission({
    negotiations,
    onAdmitted() {
      budget.give(maxHeld - atFirst);
      options.onAdmitted();
    },
  });

  // The calls of a connection usually have the same token.
  let shown: string | undefined;
  let token: string | undefined;
  let unread = unreadOf(token);

  function tokenOf(authorization: string | undefined): string | undefined {
    if (authorization === shown) return token;
    shown = authorization;
    token = bearerToken(authorization);
    unread = unreadOf(token);
    return token;
  }

  return (stream: ServerHttp2Stream, headers: IncomingHttpHeaders, raw: readonly string[]): void => {
    const notGrpc = refuseRequest(headers);
    if (notGrpc !== undefined) {
      stream.respond({ ':status': notGrpc }, { endStream: true });
      stream.resume();
      return;
    }
    const path = headers[':path'] ?? '';
    const call = createCall({
      stream,
      path,
      token: tokenOf(tokenHeader(headers, raw)),
      budget,
      unread,
      onFault,
    });
    const route = routes.get(path);
    const encoding = encodingOf(headers);
    const timeout = timeoutOf(header(headers, 'grpc-timeout'));
    if (route === undefined) return call.finish('UNIMPLEMENTED', `${quote(call.path)} not found.`);
    if (encoding === undefined) {
      const what = `Supported message encodings: ${ENCODINGS.join(', ')}.`;
      return call.finish('UNIMPLEMENTED', what);
    }
    if (timeout === 'wrong') return call.finish('INTERNAL', 'grpc-timeout is not a valid timeout.');
    if (!isReady() && route.always !== true) {
      return call.finish('UNAVAILABLE', 'The gateway is starting or shutting down. Retry in a moment.');
    }
    if (timeout !== undefined) expire(call, timeout);
    begin({ stream, call, route, encoding });
  };

  /**
   * The token comes first: nothing is read, buffered or decompressed for someone who may not even call (I-7).
   */
  function begin(request: Request): void {
    const { call, route, stream } = request;
    const isForEverybody = route.access === 'everybody';
    // Before the gateway is ready, nobody can be authenticated.
    if (isForEverybody && (call.token === undefined || route.always === true)) return receive(request);
    const known = admission.known(call.token);
    if (known !== undefined) return receive(request, success(known));
    stream.pause();
    const admit = async (): Promise<void> => {
      const admitted = await admission.admit(call.token);
      if (call.isOver()) return;
      if (admitted.ok || route.access === 'told') receive(request, admitted);
      else if (isForEverybody) receive(request);
      else call.refuse(admitted.refusal);
    };
    admit().catch((error: unknown) => call.fail(error));
  }

  function receive({ call, route, encoding }: Request, admitted?: Result<NegotiationCaller>): void {
    const limit = admitted?.ok === true ? maxBytes : Math.min(STRANGER_BYTES, maxBytes);
    const reader = createMessageReader({
      maxBytes: limit,
      encoding,
      budget,
      unpacking,
      single: route.single,
    });
    new GrpcInput({ call, route, reader, admitted, admission, unfinished }).open();
  }
}

/** One call that has a route. */
interface Request {
  readonly stream: ServerHttp2Stream;
  readonly call: GrpcCall;
  readonly route: GrpcRoute;
  readonly encoding: Encoding;
}

function expire(call: GrpcCall, timeout: number): void {
  const timer = setTimeout(
    () => call.dismiss('DEADLINE_EXCEEDED', 'The deadline of the call has passed.'),
    timeout,
  );
  call.onOver(() => clearTimeout(timer));
}

/** The HTTP status for a request that is not gRPC. */
function refuseRequest(headers: IncomingHttpHeaders): number | undefined {
  if (headers[':method'] !== 'POST') return 405;
  const type = headers['content-type'];
  if (type === 'application/grpc') return undefined;
  return /^application\/grpc(?:\+proto)?(?:;|$)/.test(type ?? '') ? undefined : 415;
}

function encodingOf(headers: IncomingHttpHeaders): Encoding | undefined {
  const name = header(headers, 'grpc-encoding');
  if (name === undefined) return 'identity';
  return ENCODINGS.find((encoding) => encoding === name);
}

function header(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/** With two tokens, a proxy may have checked the other one: neither is valid. */
function tokenHeader({ authorization }: IncomingHttpHeaders, raw: readonly string[]): string | undefined {
  const isTwice = raw.indexOf('authorization') !== raw.lastIndexOf('authorization');
  return isTwice ? undefined : authorization;
}
