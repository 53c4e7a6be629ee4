import type { ServerResponse } from 'node:http';
import type { Refusal, Result } from '@proffer/core';
import { type JsonObject } from '@proffer/core/json';
import { type MacpEnvelope, writeMacpJson } from '@proffer/core/negotiation';
import { frameMessage, type Sink } from '../../../delivery/index.js';
import { bearerToken } from '../../../door/index.js';
import type { Metrics } from '../../../metrics/index.js';
import {
  type AcceptedRecord,
  type Listener,
  type NegotiationCalls,
  type Negotiations,
  type Subscription,
  writeAccepted,
  writeLifecycle,
} from '../../../negotiation/index.js';
import { createEventStream } from '../event-stream.js';
import { replyRefusal } from '../reply.js';
import type { HttpCall } from '../router.js';
import { askedAfter } from '../spaces/feed.js';

export interface MacpStreamOptions {
  readonly negotiations: Negotiations;
  readonly metrics: Metrics;
}

/** Starts a long-lived subscription. */
type Subscribe = (
  calls: NegotiationCalls,
  sink: () => Sink,
) => Promise<Result<Subscription>> | Result<Subscription>;

/** Each accepted envelope is serialised once, for all followers of its session. */
const frames = new WeakMap<AcceptedRecord, Buffer>();

function frameOf(record: AcceptedRecord): Buffer {
  const known = frames.get(record);
  if (known !== undefined) return known;
  const frame = frameMessage('event-stream', {
    text: JSON.stringify(writeAccepted(record)),
    seq: record.version,
  });
  frames.set(record, frame);
  return frame;
}

/** `GET /macp/session/{id}/envelopes[?after=N]` as server-sent events: history, then live; the id is the sequence number. */
export async function streamEnvelopes(call: HttpCall, options: MacpStreamOptions): Promise<void> {
  const sessionId = call.values[0] ?? '';
  await openStream(call, options, (calls, sink) => {
    const after = calls.asked(askedAfter(call));
    return after.ok ? calls.follow(sessionId, after.value, listenerTo(sink, frameOf)) : after;
  });
}

/** `GET /macp/sessions` as server-sent events: existing sessions, then events. */
export async function streamSessions(call: HttpCall, options: MacpStreamOptions): Promise<void> {
  await openStream(call, options, (calls, sink) =>
    calls.watchSessions(listenerTo(sink, (event) => frameJson(writeLifecycle(event)))),
  );
}

/** `GET /macp/signals` as server-sent events. */
export async function streamSignals(call: HttpCall, options: MacpStreamOptions): Promise<void> {
  await openStream(call, options, (calls, sink) => calls.watchSignals(listenerTo(sink, frameSignal)));
}

/** `GET /macp/policies` as server-sent events: the list, each time it changes. */
export async function streamPolicies(call: HttpCall, options: MacpStreamOptions): Promise<void> {
  await openStream(call, options, (calls, sink) =>
    calls.watchPolicies(listenerTo(sink, (change) => frameJson({ ...change }))),
  );
}

function frameSignal(envelope: MacpEnvelope): Buffer {
  return frameJson({ envelope: writeMacpJson(envelope) });
}

/** An event with this data. */
export function frameJson(value: JsonObject): Buffer {
  return frameMessage('event-stream', { text: JSON.stringify(value) });
}

/** The response becomes a stream with its first item, so that a refusal can still be a regular answer. */
export function listenerTo<Item>(sink: () => Sink, frame: (item: Item) => Buffer): Listener<Item> {
  return {
    write: (item) => sink().write(frame(item)),
    buffered: () => sink().buffered(),
    drained: () => sink().drained(),
    end: (why) => sink().end(why),
  };
}

/** How a stream is refused, and how it begins. */
interface StreamForm {
  readonly refuse: (response: ServerResponse, refusal: Refusal) => void;
  readonly begin: (response: ServerResponse) => Sink;
}

const OWN_FORM: StreamForm = { refuse: replyRefusal, begin: (response) => createEventStream(response) };

/** A stream is long-lived, so it counts as a connection. */
export async function openStream(
  { request, response, onAdmitted }: HttpCall,
  { negotiations, metrics }: MacpStreamOptions,
  subscribe: Subscribe,
  form: StreamForm = OWN_FORM,
): Promise<void> {
  const connected = await negotiations.connect(bearerToken(request.headers.authorization), 'http');
  if (!connected.ok) return form.refuse(response, connected.refusal);
  onAdmitted();
  const { caller, leave } = connected.value;
  const attempt = caller.checkRightsAndRate();
  await keepStream(response, metrics, {
    form,
    leave,
    subscribe: (sink) => (attempt.ok ? subscribe(attempt.value, sink) : attempt),
  });
}

/** Streams until one side ends it. */
export async function keepStream(
  response: ServerResponse,
  metrics: Metrics,
  {
    form,
    leave,
    subscribe,
  }: {
    readonly form: StreamForm;
    readonly leave: () => void;
    readonly subscribe: (sink: () => Sink) => ReturnType<Subscribe>;
  },
): Promise<void> {
  const sink = onFirstUse(() => form.begin(response));
  const subscribed = await subscribe(sink);
  if (!subscribed.ok) {
    leave();
    return form.refuse(response, subscribed.refusal);
  }
  metrics.connections.inc({ transport: 'sse' });
  response.once('close', () => {
    metrics.connections.dec({ transport: 'sse' });
    subscribed.value.stop();
    leave();
  });
  // A client that is already gone cannot be closed.
  if (response.destroyed) response.emit('close');
  else sink();
}

function onFirstUse(begin: () => Sink): () => Sink {
  let sink: Sink | undefined;
  return () => {
    sink ??= begin();
    return sink;
  };
}
