import { refuse } from '@proffer/core';
import { quote } from '@proffer/core/json';
import { bearerToken } from '../../../door/index.js';
import type { NegotiationCaller, NegotiationCalls } from '../../../negotiation/index.js';
import { readBody } from '../body.js';
import { type EvidenceFileOptions, sessionEvidence } from '../evidence-file.js';
import type { MACP_OPERATIONS } from '../openapi/macp.js';
import { replyJson, replyRefusal } from '../reply.js';
import { type HttpCall, type HttpHandler, type HttpRoute, routesOf } from '../router.js';
import { wantsStream } from '../spaces/feed.js';
import { type MacpHttpOptions, postEnvelope, readJson } from './envelope.js';
import { controlSession, listSessions, readEnvelopes, replyResult, showSession } from './sessions.js';
import {
  type MacpStreamOptions,
  streamEnvelopes,
  streamPolicies,
  streamSessions,
  streamSignals,
} from './streams.js';

/** Negotiations over HTTP: the same envelopes as over gRPC, in JSON. */
export function macpRoutes(
  options: MacpHttpOptions & MacpStreamOptions & EvidenceFileOptions,
): readonly HttpRoute[] {
  const { negotiations, limits } = options;

  async function admit(call: HttpCall): Promise<NegotiationCaller | undefined> {
    const admitted = await negotiations.admit(bearerToken(call.request.headers.authorization), 'http');
    if (admitted.ok) call.onAdmitted();
    else replyRefusal(call.response, admitted.refusal);
    return admitted.ok ? admitted.value : undefined;
  }

  /** A route for one authenticated call. */
  const asParty =
    (handle: (call: HttpCall, calls: NegotiationCalls) => void | Promise<void>) => async (call: HttpCall) => {
      const attempt = (await admit(call))?.checkRightsAndRate();
      if (attempt?.ok === true) await handle(call, attempt.value);
      else if (attempt !== undefined) replyRefusal(call.response, attempt.refusal);
    };

  async function registerPolicy(call: HttpCall): Promise<void> {
    const caller = await admit(call);
    if (caller === undefined) return;
    const text = await readBody(call.request, limits.maxBytes);
    const attempt = caller.checkRightsAndRate();
    if (!attempt.ok) return replyRefusal(call.response, attempt.refusal);
    const body = attempt.value.asked(readJson(text, limits));
    const registered = body.ok ? await attempt.value.registerPolicy(body.value) : body;
    replyResult(call, registered, (policy_descriptor) => ({ policy_descriptor }));
  }

  /** A route with an alternative for live streams. */
  const orStream =
    (stream: (call: HttpCall, options: MacpStreamOptions) => Promise<void>, route: HttpHandler) =>
    async (call: HttpCall): Promise<void> => {
      if (wantsStream(call)) await stream(call, options);
      else await route(call);
    };

  let rpcs: Promise<ReadonlyMap<string, HttpHandler>> | undefined;

  /** Loaded with the first call, like everything that needs protobuf. */
  async function callRpc(call: HttpCall): Promise<void> {
    rpcs ??= import('./rpcs.js').then(({ createRpcs }) => createRpcs(options));
    const [name = ''] = call.values;
    const serve = (await rpcs).get(name);
    if (serve !== undefined) return await serve(call);
    const what = `MACPRuntimeService has no method ${quote(name)}.`;
    call.refuse(refuse('unknown_route', what, { path: `/macp/v1/${name}` }));
  }

  const handlers: Readonly<Record<keyof typeof MACP_OPERATIONS, HttpHandler>> = {
    'GET /.well-known/macp.json': (call) =>
      replyResult(call, negotiations.manifest(''), (manifest) => ({ ...manifest })),
    'POST /macp/v1/{method}': callRpc,
    'POST /macp/envelope': (call) => postEnvelope(call, options),
    'GET /macp/session/{id}': asParty(showSession),
    'POST /macp/session/{id}/cancel': controlSession('cancel', options),
    'POST /macp/session/{id}/suspend': controlSession('suspend', options),
    'POST /macp/session/{id}/resume': controlSession('resume', options),
    'GET /macp/session/{id}/envelopes': orStream(streamEnvelopes, asParty(readEnvelopes)),
    'GET /macp/session/{id}/evidence': asParty((call, calls) => sessionEvidence(call, calls, options)),
    'GET /macp/sessions': orStream(streamSessions, asParty(listSessions)),
    'GET /macp/signals': (call) => streamSignals(call, options),
    'GET /macp/policies': orStream(
      streamPolicies,
      asParty((call, calls) =>
        replyResult(call, calls.policies(call.query.get('mode') ?? ''), (descriptors) => ({ descriptors })),
      ),
    ),
    'POST /macp/policies': registerPolicy,
    'GET /macp/policies/{id}': asParty((call, calls) =>
      replyResult(call, calls.policy(call.values[0] ?? ''), (policy_descriptor) => ({ policy_descriptor })),
    ),
    'DELETE /macp/policies/{id}': asParty(async (call, calls) => {
      const removed = await calls.unregisterPolicy(call.values[0] ?? '');
      if (!removed.ok) return replyRefusal(call.response, removed.refusal);
      replyJson(call.response, 200, { ok: true });
    }),
    'GET /macp/modes': (call) => replyResult(call, negotiations.modes(), (modes) => ({ modes })),
  };
  return routesOf(handlers);
}
