import { authorize } from '@proffer/core/capability';
import { reaches } from '@proffer/core/operations';
import type { Journal } from '@proffer/journal';
import type { SpaceRequest, SpaceRoute } from '../../companion.js';
import type { StoredOperation } from '../../delivery/index.js';
import type { Guest } from '../../operations/index.js';
import type { Admission } from './admission.js';
import { readBody } from './body.js';
import { replyJson } from './reply.js';
import type { Call, Route } from './router.js';

export interface CompanionRoutesOptions {
  readonly counted: Admission['counted'];
  readonly journal: Journal;
  readonly limits: { readonly maxBytes: number };
}

/** Companions' routes in spaces, for those who may enter them. */
export function companionRoutes(
  routes: readonly SpaceRoute[],
  options: CompanionRoutesOptions,
): readonly Route[] {
  return routes.map(({ method, path, answer }) => ({
    method,
    path: `/spaces/*${path}`,
    handle: options.counted(async (call, guest) => {
      const body = await readBody(call.request, options.limits.maxBytes);
      if (!body.ok) return call.refuse(body.refusal);
      const answered = await answer(requestOf(call, guest, { ...options, body: body.value }));
      if (answered.refused !== undefined) return call.refuse(answered.refused);
      replyJson(call.response, answered.status, answered.body ?? {});
    }),
  }));
}

function requestOf(
  { query }: Call,
  { name, observer, roles, room, rights }: Guest,
  { journal, body }: { readonly journal: Journal; readonly body: string },
): SpaceRequest {
  const { settings } = room.host;
  const subscriber = { name, routing: 'all', observer, roles } as const;
  return {
    space: settings.name,
    participant: name,
    query,
    body,
    may(kind) {
      const standing = rights();
      if (!standing.ok) return false;
      return authorize(standing.value.capabilities, { from: name, kind, payload: {} }) === undefined;
    },
    seq: room.fanOut.seq,
    async *history(after) {
      for await (const stored of journal.feed(settings.name, after, { follow: false })) {
        const record = stored as StoredOperation;
        if (reaches(record, subscriber, settings)) yield record;
      }
    },
    participants: () => room.host.state.participants.values(),
    isConnected: (participant) => room.host.presence.isConnected(participant),
  };
}
