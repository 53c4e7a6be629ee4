import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { type JsonLimits, quote, type Refusal, refuse } from '@proffer/core';
import type { Journal } from '@proffer/journal';
import { bearerToken } from '../auth/index.js';
import type { Console } from '../console/index.js';
import type { Door, Guest } from '../intake/door.js';
import type { Metrics } from '../metrics/metrics.js';
import type { Negotiations } from '../negotiation/index.js';
import { readFeed, streamFeed, wantsStream } from './feed.js';
import { refuseForeign } from './foreign.js';
import { macpLimits } from './macp-envelope.js';
import { macpRoutes } from './macp-routes.js';
import { postMessage } from './messages.js';
import { OPENAPI } from './openapi.js';
import { listProposals } from './proposal-list.js';
import { showProposal } from './proposals.js';
import { replyJson, replyRefusal, replyText } from './reply.js';
import { type Call, findRoute, type Route } from './router.js';
import { hasToken, readTarget } from './target.js';
import { describePrincipal } from './whoami.js';

export interface HttpOptions {
  readonly door: Door;
  readonly negotiations: Negotiations;
  /** Bytes that the payload of a negotiation message may have. */
  readonly maxPayload: number;
  readonly journal: Journal;
  readonly clock: () => number;
  readonly limits: JsonLimits;
  readonly metrics: Metrics;
  /** Whether everything is replayed and the gateway takes messages. */
  readonly isReady: () => boolean;
  /** Whether a name is enough to be somebody; then only this machine is served. */
  readonly dev: boolean;
  readonly console: Console;
  /** A request failed in a way that is ours to mend. */
  readonly onFault: (error: unknown, path: string) => void;
}

/** The HTTP face of the gateway: messages, proposals, feed, and what operators ask for. */
export function createHttpTransport(options: HttpOptions): RequestListener {
  const { door, journal, metrics, isReady, onFault } = options;

  /** A route of a space: only for those who may enter it. */
  const inSpace = (handle: (call: Call, guest: Guest) => void | Promise<void>) => async (call: Call) => {
    const { authorization } = call.request.headers;
    const { guest, refused } = await door.admit(bearerToken(authorization), call.values[0] ?? '');
    if (guest !== undefined) return await handle(call, guest);
    refuseWith(call.response, refused);
  };

  /** The same for one that only reads, which counts as a message: a page can cost as much as many. */
  const reading = (handle: (call: Call, guest: Guest) => void | Promise<void>) =>
    inSpace(async (call, guest) => {
      const allowed = guest.mayTry();
      if ('refused' in allowed) return refuseWith(call.response, allowed.refused);
      return await handle(call, guest);
    });

  async function whoAmI({ request, response }: Call): Promise<void> {
    const identified = await door.identify(bearerToken(request.headers.authorization));
    if (identified.ok) replyJson(response, 200, describePrincipal(identified.value));
    else refuseWith(response, identified.refusal);
  }

  /** A stream stays, so it counts as a connection. */
  async function openStream(call: Call): Promise<void> {
    const { request, response } = call;
    const token = bearerToken(request.headers.authorization);
    const { guest, refused, leave } = await door.connect(token, call.values[0] ?? '');
    if (guest === undefined) return refuseWith(response, refused);
    const allowed = guest.mayTry();
    if ('refused' in allowed) {
      leave?.();
      return refuseWith(response, allowed.refused);
    }
    metrics.connections.inc({ transport: 'sse' });
    response.once('close', () => {
      metrics.connections.dec({ transport: 'sse' });
      leave?.();
    });
    // Who is gone already closes nothing any more.
    if (response.destroyed) response.emit('close');
    else await streamFeed(call, guest);
  }

  function refuseWith(response: ServerResponse, refusal: Refusal): void {
    metrics.refusals.inc({ code: refusal.code });
    replyRefusal(response, refusal);
  }

  const routes: readonly Route[] = [
    { method: 'GET', path: '/healthz', handle: ({ response }) => replyJson(response, 200, { status: 'ok' }) },
    {
      method: 'GET',
      path: '/readyz',
      handle: ({ response }) => replyJson(response, isReady() ? 200 : 503, { ready: isReady() }),
    },
    {
      method: 'GET',
      path: '/metrics',
      handle: async ({ response }) => replyText(response, 200, metrics.contentType, await metrics.text()),
    },
    { method: 'GET', path: '/openapi.json', handle: ({ response }) => replyJson(response, 200, OPENAPI) },
    { method: 'GET', path: '/whoami', handle: whoAmI },
    {
      method: 'GET',
      path: '/sign-in',
      handle: ({ response }) => replyJson(response, 200, options.console.signIn),
    },
    {
      method: 'POST',
      path: '/spaces/*/messages',
      handle: inSpace((call, guest) => postMessage(call, guest, options)),
    },
    {
      method: 'GET',
      path: '/spaces/*/proposals',
      handle: reading((call, guest) => listProposals(call, guest, journal)),
    },
    {
      method: 'GET',
      path: '/spaces/*/proposals/*',
      handle: reading((call, guest) => showProposal(call, guest, journal)),
    },
    {
      method: 'GET',
      path: '/spaces/*/feed',
      handle: async (call) => {
        if (wantsStream(call)) return await openStream(call);
        return await reading((inside, guest) => readFeed(inside, guest, journal))(call);
      },
    },
    ...macpRoutes({ ...options, limits: macpLimits(options.limits, options.maxPayload) }),
  ];

  return (request: IncomingMessage, response: ServerResponse) => {
    const foreign = options.dev ? refuseForeign(request) : undefined;
    if (foreign !== undefined) return refuseWith(response, foreign);
    const target = readTarget(request.url);
    const { path, query } = target;
    const found = findRoute(routes, request.method ?? 'GET', path);
    if (hasToken(target)) {
      return refuseWith(
        response,
        refuse('token_in_url', 'The address has a token in it, where logs would keep it.'),
      );
    }
    if (!('route' in found)) {
      if (options.console.pages?.serve(request, response, path) === true) return;
      const { allowed } = found;
      const what = allowed.length === 0 ? `There is no ${quote(path)}.` : `${path} takes ${allowed.join()}.`;
      if (allowed.length > 0) response.setHeader('allow', allowed.join(', '));
      return refuseWith(response, refuse('unknown_route', what, { path, allowed }));
    }
    const call = { request, response, query, values: found.values };
    Promise.resolve(found.route.handle(call)).catch((error: unknown) => {
      onFault(error, path);
      if (response.headersSent) response.destroy();
      else refuseWith(response, refuse('unavailable', 'Something went wrong in the gateway.'));
    });
  };
}
