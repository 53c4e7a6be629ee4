import type { Result } from '@proffer/core';
import { type MacpEnvelope } from '@proffer/core/negotiation';
import { encodeEnvelope, type Method, RUNTIME_SERVICE as RPC } from '@proffer/wire';
import type {
  Listener,
  NegotiationCalls,
  Negotiations,
  PoliciesChanged,
  RegistryChanged,
  SessionLifecycleEvent,
  Subscription,
} from '../../../negotiation/index.js';
import { asParty, frame, type GrpcCall, type GrpcRoute, listenOn, PREFIX, readOne } from '../call/index.js';

/** Every RPC that streams changes until the caller ends it. */
export const watchRoutes = (negotiations: Negotiations): readonly GrpcRoute[] => [
  watch(
    RPC.watchSessions,
    (calls, listener: Listener<SessionLifecycleEvent>) => calls.watchSessions(listener),
    (event) => ({ event }),
  ),
  watch(
    RPC.watchSignals,
    (calls, listener: Listener<MacpEnvelope>) => calls.watchSignals(listener),
    (envelope) => ({
      envelope: encodeEnvelope(envelope),
      sender_authenticated: negotiations.authenticatesSenders,
    }),
  ),
  watch(
    RPC.watchPolicies,
    (calls, listener: Listener<PoliciesChanged>) => calls.watchPolicies(listener),
    (changed) => changed,
  ),
  watchOpenly(
    RPC.watchModeRegistry,
    (listener: Listener<RegistryChanged>) => negotiations.watchModes(listener),
    (change) => ({ change }),
  ),
  watchOpenly(
    RPC.watchRoots,
    (listener: Listener<RegistryChanged>) => negotiations.watchRoots(listener),
    ({ observed_at_unix_ms }) => ({ change: { observed_at_unix_ms } }),
  ),
];

type Subscribe<Item> = (listener: Listener<Item>) => Result<Subscription>;

/** For authenticated callers. */
function watch<Response, Item extends object>(
  method: Method<object, Response, 'server_streaming'>,
  subscribe: (calls: NegotiationCalls, listener: Listener<Item>) => Result<Subscription>,
  toResponse: (item: Item) => Response,
): GrpcRoute {
  const toFrame = framing(method, toResponse);
  return asParty(method, async (calls, _request, caller) => {
    const staying = await caller.stay();
    if (!staying.ok) return caller.call.refuse(staying.refusal);
    stream(caller.call, toFrame, (listener) => subscribe(calls, listener));
  });
}

/** For anyone. */
function watchOpenly<Response, Item extends object>(
  method: Method<object, Response, 'server_streaming'>,
  subscribe: Subscribe<Item>,
  toResponse: (item: Item) => Response,
): GrpcRoute {
  const toFrame = framing(method, toResponse);
  const route = readOne(method, async (request, { call }) => {
    if (request.ok) stream(call, toFrame, subscribe);
    else call.refuse(request.refusal);
  });
  return { ...route, access: 'everybody' };
}

/** All watchers get the same object, so it is serialised once. */
function framing<Response, Item extends object>(
  { response }: Pick<Method<object, Response>, 'response'>,
  toResponse: (item: Item) => Response,
): (item: Item) => Buffer {
  const frames = new WeakMap<Item, Buffer>();
  return (item) => {
    const known = frames.get(item);
    if (known !== undefined) return known;
    const made = frame(response.write(toResponse(item), PREFIX));
    frames.set(item, made);
    return made;
  };
}

function stream<Item>(call: GrpcCall, toFrame: (item: Item) => Buffer, subscribe: Subscribe<Item>): void {
  if (call.isOver()) return;
  call.begin();
  const subscribed = subscribe(listenOn(call, toFrame));
  if (subscribed.ok) call.onOver(() => subscribed.value.stop());
  else call.refuse(subscribed.refusal);
}
