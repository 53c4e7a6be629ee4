import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { type Refusal, refuse } from '@proffer/core';
import { defined, type JsonLimits, type JsonObject, quote } from '@proffer/core/json';
import type { Journal } from '@proffer/journal';
import type { Hook, RunningCompanions } from '../../companion.js';
import type { GatewayConfig } from '../../config/index.js';
import type { Console } from '../../console/index.js';
import {
  bearerToken,
  type CallerIdentity,
  checkOrigin,
  refuseTwoCredentials,
  STRANGER_BYTES,
} from '../../door/index.js';
import { outageOf, type Readiness } from '../../journal/index.js';
import type { Metrics } from '../../metrics/index.js';
import { macpLimits, type Negotiations } from '../../negotiation/index.js';
import type { SpaceAdmission } from '../../operations/index.js';
import type { Difference } from '../../peers/index.js';
import { hasToken, readTarget } from '../target.js';
import { ACTIONS, act } from './actions/index.js';
import { createAdmission } from './admission.js';
import { readBody } from './body.js';
import { companionRoutes } from './companion-routes.js';
import type { HttpConnections } from './connections.js';
import { applyCors } from './cors.js';
import { type EvidenceRoutesOptions, evidenceRoutes } from './evidence.js';
import { proposalEvidence, spaceEvidence } from './evidence-file.js';
import { macpRoutes } from './macp/routes.js';
import { OPENAPI } from './openapi/openapi.js';
import type { OWN_OPERATIONS } from './openapi/own.js';
import { answerOperatorStats } from './operator-stats.js';
import { replyJson, replyProblem, replyText } from './reply.js';
import { findRoute, type HttpCall, type HttpHandler, type HttpRoute, routesOf } from './router.js';
import { listDelegations } from './spaces/delegations.js';
import { readFeed, streamFeed, wantsStream } from './spaces/feed.js';
import { listGrants } from './spaces/grants.js';
import { listKeys } from './spaces/keys.js';
import { postMessage } from './spaces/messages.js';
import { postMewMessage } from './spaces/mew-messages.js';
import { listProposals } from './spaces/proposal-list.js';
import { showOrFollow, staysForAnswer } from './spaces/proposals.js';
import { readWait } from './spaces/wait.js';

export interface HttpOptions extends Pick<EvidenceRoutesOptions, 'evidence'> {
  readonly admission: SpaceAdmission;
  readonly negotiations: Negotiations;
  /** The companions, once they run: they answer some requests. */
  readonly beside: () => Pick<RunningCompanions, 'hooks' | 'routes'> | undefined;
  /** Maximum bytes of a negotiation payload. */
  readonly maxPayload: number;
  readonly journal: Journal;
  readonly clock: () => number;
  readonly limits: JsonLimits;
  readonly metrics: Metrics;
  /** Whether everything is replayed and the gateway accepts messages. */
  readonly readiness: () => Readiness;
  /** Whether a name is enough to authenticate; then only this machine is served. */
  readonly dev: boolean;
  /** Origins of pages that may use the gateway from a browser (CORS). */
  readonly origins: () => readonly string[];
  readonly console: Console;
  /** The startup configuration. */
  readonly configured: Pick<GatewayConfig, 'limits' | 'journal' | 'spaces' | 'evidence'>;
  /** Other gateways on the journal with a different configuration. */
  readonly differences: () => readonly Difference[];
  /** The connections of this server. */
  readonly connections: () => HttpConnections;
  /** A request failed with an internal error. */
  readonly onFault: (error: unknown, path: string) => void;
}

/** The HTTP routes of the gateway: messages, proposals, feed, and operator information. */
export function createHttpTransport(options: HttpOptions): RequestListener {
  const { admission, journal, metrics, readiness, onFault } = options;
  const { inSpace, counted } = createAdmission(admission, metrics);

  async function whoAmI(call: HttpCall): Promise<void> {
    const identified = await admission.identify(bearerToken(call.request.headers.authorization));
    if (!identified.ok) return call.refuse(identified.refusal);
    call.onAdmitted();
    replyJson(call.response, 200, describePrincipal(identified.value));
  }

  const started = options.clock();
  const handlers: Readonly<Record<keyof typeof OWN_OPERATIONS, HttpHandler>> = {
    'GET /figures': (call) => answerOperatorStats(call, { ...options, started }),
    'GET /healthz': ({ response }) => replyJson(response, 200, { status: 'ok' }),
    'GET /readyz': ({ response }) => {
      const { ready, reason } = readiness();
      const known = defined({ reason, durability: journal.durability });
      replyJson(response, ready ? 200 : 503, { ready, ...known, ...warningsOf(options.differences()) });
    },
    'GET /metrics': async ({ response }) =>
      replyText(response, 200, metrics.contentType, await metrics.text()),
    'GET /openapi.json': ({ response }) => replyJson(response, 200, OPENAPI),
    'GET /whoami': whoAmI,
    'GET /sign-in': ({ response }) => replyJson(response, 200, options.console.signIn),
    'POST /hooks/{name}': (call) => answerHook(call, options.beside()?.hooks?.() ?? []),
    'POST /spaces/{space}/messages': inSpace((call, caller) => postMessage(call, caller, options)),
    'GET /spaces/{space}/proposals': counted((call, caller) => listProposals(call, caller, options)),
    'GET /spaces/{space}/proposals/{id}': counted(
      (call, caller) => showOrFollow(call, caller, journal),
      staysForAnswer,
    ),
    'GET /spaces/{space}/proposals/{id}/evidence': counted((call, caller) =>
      proposalEvidence(call, caller, options),
    ),
    'GET /spaces/{space}/evidence': counted((call, caller) => spaceEvidence(call, caller, options)),
    'GET /spaces/{space}/grants': counted((call, caller) => listGrants(call, caller, options.clock())),
    'GET /spaces/{space}/keys': counted(listKeys),
    'GET /spaces/{space}/delegations': counted((call, caller) =>
      listDelegations(call, caller, options.clock()),
    ),
    'GET /spaces/{space}/feed': counted((call, caller) => {
      if (wantsStream(call)) return streamFeed(call, caller);
      return readFeed(call, caller, journal);
    }, wantsStream),
    // The two addresses that mew clients use besides the WebSocket.
    'GET /health': ({ response }) => replyJson(response, 200, { status: 'ok' }),
    'POST /participants/{id}/messages': (call) => postMewMessage(call, admission, options),
  };
  const routes: readonly HttpRoute[] = [
    ...routesOf(handlers),
    ...ACTIONS.map(
      (action): HttpRoute => ({
        method: 'POST',
        path: `/spaces/{space}${action.path}`,
        handle: counted((call, caller) => {
          const wait = readWait(call.query);
          if (!wait.ok) return call.refuse(wait.refusal);
          return act(call, caller, { ...options, action, wait: wait.value });
        }, staysForAnswer),
      }),
    ),
    ...evidenceRoutes({ ...options, isPublic: options.configured.evidence?.public ?? options.dev }),
    ...macpRoutes({ ...options, limits: macpLimits(options.limits, options.maxPayload) }),
  ];

  return (request: IncomingMessage, response: ServerResponse) => {
    const refuseWith = (refusal: Refusal, status?: number): void => {
      metrics.refusals.inc({ code: refusal.code });
      replyProblem(response, refusal, status);
    };
    const connections = options.connections();
    connections.limitStranger(request, response);
    const origins = options.origins();
    const unclear =
      (options.dev ? checkOrigin(request, origins) : undefined) ?? refuseTwoCredentials(request);
    if (unclear !== undefined) return refuseWith(unclear);
    const shared = applyCors(request, response, origins);
    if (shared !== undefined) return shared === 'answered' ? undefined : refuseWith(shared);
    const target = readTarget(request.url);
    const { path, query } = target;
    const own = findRoute(routes, request.method ?? 'GET', path);
    const found =
      'route' in own || own.allowed.length > 0
        ? own
        : findRoute(
            companionRoutes(options.beside()?.routes?.() ?? [], { ...options, counted }),
            request.method ?? 'GET',
            path,
          );
    if (hasToken(target)) {
      const what = 'The URL contains a token, and logs would record it.';
      return refuseWith(refuse('token_in_url', what));
    }
    if (!('route' in found)) {
      if (options.console.pages?.serve(request, response, path) === true) return;
      const { allowed } = found;
      const what = allowed.length === 0 ? `${quote(path)} not found.` : `${path} takes ${allowed.join()}.`;
      if (allowed.length > 0) response.setHeader('allow', allowed.join(', '));
      return refuseWith(refuse('unknown_route', what, { path, allowed }));
    }
    const onAdmitted = (): void => connections.admitted(request);
    const call = { request, response, query, values: found.values, onAdmitted, refuse: refuseWith };
    Promise.resolve(found.route.handle(call)).catch((error: unknown) => {
      const outage = outageOf(error);
      // The journal logs once that it is unavailable.
      if (outage === undefined) onFault(error, path);
      if (response.headersSent) response.destroy();
      else
        refuseWith(
          outage ?? refuse('unavailable', 'Internal error in the gateway. Its log has the details.'),
        );
    });
  };
}

/** For anyone who asks, so without names of spaces and machines. */
function warningsOf({ length }: readonly Difference[]): { readonly warnings?: readonly string[] } {
  if (length === 0) return {};
  const who =
    length === 1 ? 'Another gateway on this journal has' : `${length} other gateways on this journal have`;
  return {
    warnings: [`${who} a different configuration. The log names the keys, and so does GET /figures.`],
  };
}

/** The answer of `GET /whoami`: the participant of a token, and its rights, space by space. */
function describePrincipal({ name, credential, isObserver, expiresAt, spaces }: CallerIdentity): JsonObject {
  return {
    participant: name,
    credential,
    observer: isObserver,
    ...defined({ expiresAt }),
    spaces: Array.from(spaces, ([space, { sources }]) => ({ name: space, capabilities: sources })),
  };
}

/** `POST /hooks/{name}`: for services that call back, such as Slack. Each hook authenticates its caller. */
async function answerHook(call: HttpCall, hooks: readonly Hook[]): Promise<void> {
  const [name = ''] = call.values;
  const hook = hooks.find((one) => one.name === name);
  if (hook === undefined)
    return call.refuse(refuse('unknown_route', `Hook ${quote(name)} not found.`, { path: name }));
  const body = await readBody(call.request, STRANGER_BYTES);
  if (!body.ok) return call.refuse(body.refusal);
  const answer = await hook.answer({ headers: call.request.headers, body: body.value });
  if (answer.refused !== undefined) return call.refuse(answer.refused);
  replyJson(call.response, answer.status, answer.body ?? {});
}
