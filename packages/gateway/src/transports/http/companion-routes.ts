import { authorize } from '@proffer/core/capability';
import { reaches } from '@proffer/core/operations';
import type { Journal } from '@proffer/journal';
import type { SpaceRequest, SpaceRoute } from '../../companion.js';
import type { StoredOperation } from '../../delivery/index.js';
import type { SpaceCaller } from '../../operations/index.js';
import type { HttpAdmission } from './admission.js';
import { readBody } from './body.js';
import { replyJson } from './reply.js';
import type { HttpCall, HttpRoute } from './router.js';

export interface CompanionRoutesOptions {
  readonly counted: HttpAdmission['counted'];
  readonly journal: Journal;
  readonly limits: { readonly maxBytes: number };
}

/** Companions' routes in spaces, for those who may enter them. */
export function companionRoutes(
  routes: readonly SpaceRoute[],
  options: CompanionRoutesOptions,
): readonly HttpRoute[] {
  return routes.map(({ method, path, answer }) => ({
    method,
    path: `/spaces/{space}${path}`,
    handle: options.counted(async (call, caller) => {
      const body = await readBody(call.request, options.limits.maxBytes);
      if (!body.ok) return call.refuse(body.refusal);
      const answered = await answer(requestOf(call, caller, { ...options, body: body.value }));
      if (answered.refused !== undefined) return call.refuse(answered.refused);
      replyJson(call.response, answered.status, answered.body ?? {});
    }),
  }));
}

function requestOf(
  { query }: HttpCall,
  { name, observer, roles, liveSpace, rights }: SpaceCaller,
  { journal, body }: { readonly journal: Journal; readonly body: string },
): SpaceRequest {
  const { settings } = liveSpace.host;
  const subscriber = { name, routing: 'all', observer, roles } as const;
  return {
    space: settings.name,
    participant: name,
    query,
    body,
    may(kind) {
      const current = rights();
      if (!current.ok) return false;
      return authorize(current.value.capabilities, { from: name, kind, payload: {} }) === undefined;
    },
    seq: liveSpace.fanOut.seq,
    async *history(after) {
      for await (const stored of journal.feed(settings.name, after, { follow: false })) {
        const record = stored as StoredOperation;
        if (reaches(record, subscriber, settings)) yield record;
      }
    },
    participants: () => liveSpace.host.state.participants.values(),
    isConnected: (participant) => liveSpace.host.presence.isConnected(participant),
  };
}
