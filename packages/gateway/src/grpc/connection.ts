import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2';
import { quote, type Result, success } from '@proffer/core';
import type { Negotiations, Party } from '../negotiation/runtime.js';
import { createBudget } from './budget.js';
import { type Call, createCall } from './call.js';
import { createMessageReader, ENCODINGS, type Encoding } from './message-reader.js';
import type { Caller, Receiver, Route } from './route.js';
import { timeoutOf } from './timeout.js';

export interface ConnectionOptions {
  readonly negotiations: Negotiations;
  readonly routes: ReadonlyMap<string, Route>;
  /** Of one message. */
  readonly maxBytes: number;
  /** That the calls of one connection may make the gateway hold. */
  readonly maxHeld: number;
  readonly isReady: () => boolean;
  readonly onFault: (error: unknown, path: string) => void;
}

/** So many tokens of one connection are remembered; more are looked up each time. */
const MOST_TOKENS = 64;

/** Serves the calls of one HTTP/2 connection: finds the route, and brings it the messages. */
export function serveConnection(options: ConnectionOptions) {
  const { negotiations, routes, maxBytes, isReady, onFault } = options;
  const budget = createBudget(options.maxHeld);
  // What a party may do is asked anew at each call, so only who it is has to be found out once.
  const parties = new Map<string, Party>();

  async function admit(token: string | undefined): Promise<Result<Party>> {
    const known = parties.get(token ?? '');
    if (known !== undefined) return success(known);
    const admitted = await negotiations.admit(token, 'grpc');
    if (admitted.ok && parties.size < MOST_TOKENS) parties.set(token ?? '', admitted.value);
    return admitted;
  }

  async function stay(call: Call): Promise<Result<Party>> {
    const connected = await negotiations.connect(call.token, 'grpc');
    if (!connected.ok) return connected;
    const { party, leave } = connected.value;
    call.onOver(leave);
    return success(party);
  }

  return (stream: ServerHttp2Stream, headers: IncomingHttpHeaders): void => {
    const notGrpc = refuseRequest(headers);
    if (notGrpc !== undefined) {
      stream.respond({ ':status': notGrpc }, { endStream: true });
      stream.resume();
      return;
    }
    const call = createCall({ stream, headers, budget, onFault });
    const route = routes.get(call.path);
    const encoding = encodingOf(headers);
    const timeout = timeoutOf(header(headers, 'grpc-timeout'));
    if (route === undefined) return call.finish('UNIMPLEMENTED', `There is no ${quote(call.path)}.`);
    if (encoding === undefined) {
      const what = `Messages are read as ${ENCODINGS.join(', ')}.`;
      return call.finish('UNIMPLEMENTED', what);
    }
    if (timeout === 'wrong') return call.finish('INTERNAL', 'grpc-timeout is not a time.');
    if (!isReady() && route.always !== true) {
      return call.finish('UNAVAILABLE', 'The gateway is starting or stopping. Come back in a moment.');
    }
    if (timeout !== undefined) expire(call, timeout);
    const caller: Caller = { call, admit: () => admit(call.token), stay: () => stay(call) };
    receive(stream, caller, route, encoding);
  };

  function receive(stream: ServerHttp2Stream, caller: Caller, route: Route, encoding: Encoding): void {
    const { call } = caller;
    const reader = createMessageReader({ maxBytes, encoding, budget });
    let receiver: Receiver | undefined;
    const take = (message: Buffer): void => receiver?.take(message);
    stream.on('data', (chunk: Buffer) => {
      if (call.isOver()) return;
      const fault = reader.push(chunk, take);
      if (fault === undefined) return;
      receiver = undefined;
      call.finish(fault.status, fault.message);
    });
    stream.on('end', () => {
      if (call.isOver()) return;
      if (reader.isEmpty()) receiver?.end();
      else call.finish('INTERNAL', 'The last message is not complete.');
    });
    call.onOver(() => reader.release());
    receiver = route.open(caller);
  }
}

function expire(call: Call, timeout: number): void {
  const timer = setTimeout(() => call.dismiss('DEADLINE_EXCEEDED', 'The time of the call is up.'), timeout);
  call.onOver(() => clearTimeout(timer));
}

/** The HTTP status for what is not a gRPC call at all. */
function refuseRequest(headers: IncomingHttpHeaders): number | undefined {
  if (headers[':method'] !== 'POST') return 405;
  return /^application\/grpc(?:\+proto)?(?:;|$)/.test(headers['content-type'] ?? '') ? undefined : 415;
}

function encodingOf(headers: IncomingHttpHeaders): Encoding | undefined {
  const name = header(headers, 'grpc-encoding') ?? 'identity';
  return ENCODINGS.find((encoding) => encoding === name);
}

function header(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}
