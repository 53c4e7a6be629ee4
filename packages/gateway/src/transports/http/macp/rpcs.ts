import { failure, type Result, refuse } from '@proffer/core';
import { isJsonObject, type JsonObject, type JsonValue } from '@proffer/core/json';
import { addressOf, type MacpEnvelope, refusedAck, writeMacpJson } from '@proffer/core/negotiation';
import { type Method, RUNTIME_SERVICE as RPC } from '@proffer/wire';
import type { ConnectionEnding } from '../../../delivery/index.js';
import { bearerToken, STRANGER_BYTES } from '../../../door/index.js';
import {
  type Listener,
  loadSentJson,
  type NegotiationCaller,
  type NegotiationCalls,
  type PoliciesChanged,
  type RegistryChanged,
  type SessionLifecycleEvent,
  type Subscription,
  writeLifecycle,
} from '../../../negotiation/index.js';
import { readPage, writePageToken } from '../../session-pages.js';
import { carryUnaryCalls, withField } from '../../unary-calls.js';
import { readBody } from '../body.js';
import { createEventStream } from '../event-stream.js';
import { replyJson } from '../reply.js';
import type { HttpCall, HttpHandler } from '../router.js';
import { type MacpHttpOptions, readJson } from './envelope.js';
import { errorEvent, followSession } from './follow-session.js';
import { replyError, withRulesAsText, writeResponse, writeSession } from './rpc-json.js';
import { frameJson, keepStream, listenerTo, type MacpStreamOptions, openStream } from './streams.js';

type Row = readonly [name: string, serve: HttpHandler];

/** Every method of the runtime, as `POST /macp/v1/{method}` serves it (RFC-MACP-0006, section 4). */
export function createRpcs(options: MacpHttpOptions & MacpStreamOptions): ReadonlyMap<string, HttpHandler> {
  const { negotiations, limits, metrics } = options;

  async function admit(call: HttpCall): Promise<NegotiationCaller | undefined> {
    const admitted = await negotiations.admit(bearerToken(call.request.headers.authorization), 'http');
    if (admitted.ok) call.onAdmitted();
    else replyError(call.response, admitted.refusal);
    return admitted.ok ? admitted.value : undefined;
  }

  const readAsJson = async ({ request }: HttpCall, maxBytes = limits.maxBytes): Promise<Result<JsonValue>> =>
    readJson(await readBody(request, maxBytes), limits);

  /** A method with one request and one response, for callers with a valid token. */
  function asParty<Request, Response>(
    { name, request: codec }: Method<Request, Response>,
    handle: (calls: NegotiationCalls, request: Request) => Result<Response> | Promise<Result<Response>>,
  ): Row {
    return serveParty(name, async (call, calls, body) => {
      const request = body.ok ? codec.readJson(withRulesAsText(body.value)) : body;
      const asked = calls.asked(request);
      reply(call, asked.ok ? await handle(calls, asked.value) : asked);
    });
  }

  function serveParty(
    name: string,
    serve: (call: HttpCall, calls: NegotiationCalls, body: Result<JsonValue>) => Promise<void>,
  ): Row {
    const handle = async (call: HttpCall): Promise<void> => {
      const caller = await admit(call);
      if (caller === undefined) return;
      const body = await readAsJson(call);
      const attempt = caller.checkRightsAndRate();
      if (attempt.ok) await serve(call, attempt.value, body);
      else replyError(call.response, attempt.refusal);
    };
    return [name, handle];
  }

  /** A method for everyone, even without a token. */
  function asAnyone<Request, Response>(
    { name, request: codec }: Method<Request, Response>,
    handle: (request: Request) => Result<Response> | Promise<Result<Response>>,
  ): Row {
    const serve = async (call: HttpCall): Promise<void> => {
      const body = await readAsJson(call, STRANGER_BYTES);
      const request = body.ok ? codec.readJson(body.value) : body;
      reply(call, request.ok ? await handle(request.value) : request);
    };
    return [name, serve];
  }

  /** `Send`: what is decided about an envelope is in its Ack, and the status is 200. */
  async function send(call: HttpCall): Promise<void> {
    const caller = await admit(call);
    if (caller === undefined) return;
    const body = await readAsJson(call);
    const attempt = caller.checkRightsAndRate();
    const envelope = body.ok && isJsonObject(body.value) ? body.value['envelope'] : undefined;
    if (attempt.ok && !isJsonObject(envelope)) {
      const asked = attempt.value.asked(body.ok ? refuseBody(body.value) : body);
      if (!asked.ok) return replyError(call.response, asked.refusal);
    }
    const address = addressOf(envelope ?? null);
    const { readSentJson } = await loadSentJson();
    const ack = attempt.ok
      ? await attempt.value.send({ address, decode: () => readSentJson(envelope ?? null) })
      : refusedAck(address, attempt.refusal);
    replyJson(call.response, 200, writeResponse({ ack }));
  }

  /** A stream of changes, for callers with a valid token. */
  function watch<Item>(
    { name, request: codec }: Pick<Method, 'name' | 'request'>,
    subscribe: (calls: NegotiationCalls, listener: Listener<Item>) => Result<Subscription>,
    write: (item: Item) => JsonObject,
  ): Row {
    const serve = (call: HttpCall): Promise<void> =>
      openStream(
        call,
        options,
        async (calls, sink) => {
          const body = await readAsJson(call);
          const asked = calls.asked(body.ok ? codec.readJson(body.value) : body);
          if (!asked.ok) return asked;
          return subscribe(
            calls,
            listenerTo(sink, (item: Item) => frameJson(write(item))),
          );
        },
        FORM,
      );
    return [name, acceptingEvents(serve)];
  }

  /** A stream of changes, for everyone. */
  function watchOpenly(
    { name, request: codec }: Pick<Method, 'name' | 'request'>,
    subscribe: (listener: Listener<RegistryChanged>) => Result<Subscription>,
    write: (item: RegistryChanged) => JsonObject,
  ): Row {
    const serve = async (call: HttpCall): Promise<void> => {
      const body = await readAsJson(call, STRANGER_BYTES);
      const request = body.ok ? codec.readJson(body.value) : body;
      if (!request.ok) return replyError(call.response, request.refusal);
      await keepStream(call.response, metrics, {
        form: FORM,
        leave() {},
        subscribe: (sink) => subscribe(listenerTo(sink, (item) => frameJson(write(item)))),
      });
    };
    return [name, acceptingEvents(serve)];
  }

  const streamSession = (call: HttpCall): Promise<void> =>
    openStream(
      call,
      options,
      async (calls, sink) => {
        const body = await readAsJson(call);
        const request = calls.asked(body.ok ? readSubscription(body.value) : body);
        const resumed = call.request.headers['last-event-id'];
        const { response } = call;
        return request.ok
          ? followSession(calls, request.value, { response, sink, resumed: resumed?.toString() })
          : request;
      },
      FORM,
    );

  const rows: readonly Row[] = [
    [RPC.send.name, send],
    [RPC.streamSession.name, acceptingEvents(streamSession)],
    asAnyone(RPC.getManifest, ({ agent_id }) => withField('manifest', negotiations.manifest(agent_id))),
    asParty(RPC.getSession, async (calls, { session_id }) =>
      withField('metadata', await calls.session(session_id)),
    ),
    serveParty(RPC.listSessions.name, async (call, calls, body) => {
      const asked = calls.asked(body.ok ? RPC.listSessions.request.readJson(body.value) : body);
      const page = asked.ok ? calls.asked(readPage(asked.value)) : asked;
      if (!page.ok) return replyError(call.response, page.refusal);
      const listed = await calls.sessions(toForm, () => call.response.destroyed, page.value);
      if (!listed.ok) return replyError(call.response, listed.refusal);
      const { sessions, next } = listed.value;
      replyJson(call.response, 200, { sessions, next_page_token: writePageToken(next) });
    }),
    ...carryUnaryCalls<Row>(negotiations, { asParty, asAnyone }),
    watch(
      RPC.watchSessions,
      (calls, listener: Listener<SessionLifecycleEvent>) => calls.watchSessions(listener),
      (event) => ({ event: { ...writeLifecycle(event), session: writeSession(event.session) } }),
    ),
    watch(
      RPC.watchSignals,
      (calls, listener: Listener<MacpEnvelope>) => calls.watchSignals(listener),
      (envelope) => ({
        envelope: writeMacpJson(envelope),
        sender_authenticated: negotiations.authenticatesSenders,
      }),
    ),
    watch(
      RPC.watchPolicies,
      (calls, listener: Listener<PoliciesChanged>) => calls.watchPolicies(listener),
      writeResponse,
    ),
    watchOpenly(
      RPC.watchModeRegistry,
      (listener) => negotiations.watchModes(listener),
      (change) => ({ change: { ...change } }),
    ),
    watchOpenly(
      RPC.watchRoots,
      (listener) => negotiations.watchRoots(listener),
      ({ observed_at_unix_ms }) => ({ change: { observed_at_unix_ms } }),
    ),
  ];
  return new Map(rows.map(([name, serve]) => [name, withJson(serve)]));
}

/** A fatal error is an event; where a retry helps, the stream just ends, and the client resumes. */
function farewell(why: ConnectionEnding): string {
  if (why === 'credential_revoked') {
    return errorEvent(refuse('UNAUTHENTICATED', 'The token was revoked or has expired.'));
  }
  if (why !== 'fell_behind') return '';
  return errorEvent(refuse('STREAM_LAGGED', 'The stream was read too slowly.'));
}

const FORM = {
  refuse: replyError,
  begin: (response: HttpCall['response']) => createEventStream(response, farewell),
} as const;

/** Browsers ask before they send this type to another site, so a page cannot use it behind a user's back. */
function withJson(serve: HttpHandler): HttpHandler {
  return (call) => {
    const type = call.request.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
    return type === 'application/json' ? serve(call) : replyEmpty(call, 415);
  };
}

function acceptingEvents(serve: (call: HttpCall) => Promise<void>): HttpHandler {
  return (call) => {
    const { accept } = call.request.headers;
    const isAccepted = accept === undefined || /text\/event-stream|text\/\*|\*\/\*/i.test(accept);
    return isAccepted ? serve(call) : replyEmpty(call, 406);
  };
}

function replyEmpty({ request, response }: HttpCall, status: number): void {
  request.resume();
  response.writeHead(status, { 'content-length': 0 }).end();
}

function reply({ response }: HttpCall, answer: Result<unknown>): void {
  if (answer.ok) replyJson(response, 200, writeResponse(Object(answer.value)));
  else replyError(response, answer.refusal);
}

function readSubscription(body: JsonValue): Result<{ subscribe_session_id: string; after_sequence: number }> {
  if (isJsonObject(body) && (body['envelope'] ?? null) !== null) {
    return refuseField('envelope', 'nothing: send envelopes with /macp/v1/Send');
  }
  const request = RPC.streamSession.request.readJson(body);
  if (!request.ok || request.value.subscribe_session_id !== '') return request;
  return refuseField('subscribe_session_id', 'the id of a session');
}

function refuseBody(body: JsonValue): Result<never> {
  return isJsonObject(body)
    ? refuseField('envelope', 'an envelope')
    : failure(refuse('INVALID_ENVELOPE', 'The body is not an object.', { expected: 'an object' }));
}

function refuseField(field: string, expected: string): Result<never> {
  const what = `${field} must be ${expected}.`;
  return failure(refuse('INVALID_ENVELOPE', what, { field, expected }));
}

function toForm(session: Parameters<typeof writeSession>[0]) {
  const value = writeSession(session);
  return { value, bytes: Buffer.byteLength(JSON.stringify(value)) };
}
