import { bearerToken } from '../../../door/index.js';
import type { NegotiationCaller, NegotiationCalls } from '../../../negotiation/index.js';
import { readBody } from '../body.js';
import { replyJson, replyRefusal } from '../reply.js';
import type { HttpCall, HttpRoute } from '../router.js';
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

/** The negotiation plane over HTTP: the same envelopes as over gRPC, in JSON. */
export function macpRoutes(options: MacpHttpOptions & MacpStreamOptions): readonly HttpRoute[] {
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
    (stream: (call: HttpCall, options: MacpStreamOptions) => Promise<void>, route: HttpRoute['handle']) =>
    async (call: HttpCall): Promise<void> => {
      if (wantsStream(call)) await stream(call, options);
      else await route(call);
    };

  return [
    {
      method: 'GET',
      path: '/.well-known/macp.json',
      handle: (call) => replyResult(call, negotiations.manifest(''), (manifest) => ({ ...manifest })),
    },
    { method: 'POST', path: '/macp/envelope', handle: (call) => postEnvelope(call, options) },
    { method: 'GET', path: '/macp/session/*', handle: asParty(showSession) },
    { method: 'POST', path: '/macp/session/*/cancel', handle: controlSession('cancel', options) },
    { method: 'POST', path: '/macp/session/*/suspend', handle: controlSession('suspend', options) },
    { method: 'POST', path: '/macp/session/*/resume', handle: controlSession('resume', options) },
    {
      method: 'GET',
      path: '/macp/session/*/envelopes',
      handle: orStream(streamEnvelopes, asParty(readEnvelopes)),
    },
    { method: 'GET', path: '/macp/sessions', handle: orStream(streamSessions, asParty(listSessions)) },
    { method: 'GET', path: '/macp/signals', handle: (call) => streamSignals(call, options) },
    {
      method: 'GET',
      path: '/macp/policies',
      handle: orStream(
        streamPolicies,
        asParty((call, calls) =>
          replyResult(call, calls.policies(call.query.get('mode') ?? ''), (descriptors) => ({ descriptors })),
        ),
      ),
    },
    { method: 'POST', path: '/macp/policies', handle: registerPolicy },
    {
      method: 'GET',
      path: '/macp/policies/*',
      handle: asParty((call, calls) =>
        replyResult(call, calls.policy(call.values[0] ?? ''), (policy_descriptor) => ({ policy_descriptor })),
      ),
    },
    {
      method: 'DELETE',
      path: '/macp/policies/*',
      handle: asParty(async (call, calls) => {
        const removed = await calls.unregisterPolicy(call.values[0] ?? '');
        if (!removed.ok) return replyRefusal(call.response, removed.refusal);
        replyJson(call.response, 200, { ok: true });
      }),
    },
    {
      method: 'GET',
      path: '/macp/modes',
      handle: (call) => replyResult(call, negotiations.modes(), (modes) => ({ modes })),
    },
  ];
}
