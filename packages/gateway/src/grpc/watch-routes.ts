import type { MacpEnvelope, Result } from '@proffer/core';
import { encodeEnvelope, type Method, RUNTIME_SERVICE as RPC } from '@proffer/wire';
import type {
  Listener,
  Party,
  PoliciesChanged,
  RegistryChanged,
  SessionLifecycleEvent,
  Subscription,
} from '../negotiation/runtime.js';
import { frame } from './call.js';
import { listenOn } from './listener.js';
import { PREFIX } from './message-reader.js';
import { type Route, readOne } from './route.js';

/** Every RPC that streams what changes, until the caller has had enough. */
export const WATCH_ROUTES: readonly Route[] = [
  watch(
    RPC.watchSessions,
    (party, listener: Listener<SessionLifecycleEvent>) => party.watchSessions(listener),
    (event) => ({ event }),
  ),
  watch(
    RPC.watchSignals,
    (party, listener: Listener<MacpEnvelope>) => party.watchSignals(listener),
    (envelope) => ({ envelope: encodeEnvelope(envelope) }),
  ),
  watch(
    RPC.watchPolicies,
    (party, listener: Listener<PoliciesChanged>) => party.watchPolicies(listener),
    (changed) => changed,
  ),
  watch(
    RPC.watchModeRegistry,
    (party, listener: Listener<RegistryChanged>) => party.watchModes(listener),
    (change) => ({ change }),
  ),
  watch(
    RPC.watchRoots,
    (party, listener: Listener<RegistryChanged>) => party.watchRoots(listener),
    ({ observed_at_unix_ms }) => ({ change: { observed_at_unix_ms } }),
  ),
];

function watch<Response, Item extends object>(
  method: Method<object, Response, 'server_streaming'>,
  subscribe: (party: Party, listener: Listener<Item>) => Result<Subscription>,
  toResponse: (item: Item) => Response,
): Route {
  // Everybody who watches gets the same object, so it is written once.
  const frames = new WeakMap<Item, Buffer>();
  function toFrame(item: Item): Buffer {
    const known = frames.get(item);
    if (known !== undefined) return known;
    const made = frame(method.response.write(toResponse(item), PREFIX));
    frames.set(item, made);
    return made;
  }
  return readOne(method, async (request, { call, stay }) => {
    if (!request.ok) return call.refuse(request.refusal);
    const party = await stay();
    if (!party.ok) return call.refuse(party.refusal);
    if (call.isOver()) return;
    call.begin();
    const subscribed = subscribe(party.value, listenOn(call, toFrame));
    if (!subscribed.ok) return call.refuse(subscribed.refusal);
    call.onOver(() => subscribed.value.stop());
  });
}
