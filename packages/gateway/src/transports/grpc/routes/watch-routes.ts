import { type Result, success } from '@proffer/core';
import { type MacpEnvelope } from '@proffer/core/negotiation';
import { encodeEnvelope, type Method, RUNTIME_SERVICE as RPC } from '@proffer/wire';
import type {
  Listener,
  OpenCalls,
  Party,
  PoliciesChanged,
  RegistryChanged,
  SessionLifecycleEvent,
  Subscription,
} from '../../../negotiation/index.js';
import { type Caller, frame, listenOn, PREFIX, type Route, readOne } from '../call/index.js';

/** Every RPC that streams what changes, until the caller has had enough. */
export const watchRoutes = (open: OpenCalls): readonly Route[] => [
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
  watchOpenly(
    RPC.watchModeRegistry,
    (listener: Listener<RegistryChanged>) => open.watchModes(listener),
    (change) => ({ change }),
  ),
  watchOpenly(
    RPC.watchRoots,
    (listener: Listener<RegistryChanged>) => open.watchRoots(listener),
    ({ observed_at_unix_ms }) => ({ change: { observed_at_unix_ms } }),
  ),
];

type Subscribe<Item> = (listener: Listener<Item>) => Result<Subscription>;

/** For those who are authenticated. */
function watch<Response, Item extends object>(
  method: Method<object, Response, 'server_streaming'>,
  subscribe: (party: Party, listener: Listener<Item>) => Result<Subscription>,
  toResponse: (item: Item) => Response,
): Route {
  const admit = async (caller: Caller): Promise<Result<Subscribe<Item>>> => {
    const party = await caller.stay();
    return party.ok ? success((listener) => subscribe(party.value, listener)) : party;
  };
  return streaming(method, admit, toResponse);
}

/** For anybody. */
function watchOpenly<Response, Item extends object>(
  method: Method<object, Response, 'server_streaming'>,
  subscribe: Subscribe<Item>,
  toResponse: (item: Item) => Response,
): Route {
  const route = streaming(method, () => Promise.resolve(success(subscribe)), toResponse);
  return { ...route, access: 'everybody' };
}

function streaming<Response, Item extends object>(
  method: Method<object, Response, 'server_streaming'>,
  admit: (caller: Caller) => Promise<Result<Subscribe<Item>>>,
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
  return readOne(method, async (request, caller) => {
    const { call } = caller;
    if (!request.ok) return call.refuse(request.refusal);
    const admitted = await admit(caller);
    if (!admitted.ok) return call.refuse(admitted.refusal);
    if (call.isOver()) return;
    call.begin();
    const subscribed = admitted.value(listenOn(call, toFrame));
    if (!subscribed.ok) return call.refuse(subscribed.refusal);
    call.onOver(() => subscribed.value.stop());
  });
}
