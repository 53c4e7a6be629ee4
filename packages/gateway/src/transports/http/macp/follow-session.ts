import type { ServerResponse } from 'node:http';
import { failure, type Refusal, type Result, refuse, success } from '@proffer/core';
import { isFinal, macpError, writeMacpJson } from '@proffer/core/negotiation';
import { frameMessage, type Sink } from '../../../delivery/index.js';
import {
  type AcceptedRecord,
  lifecycleEventOf,
  type NegotiationCalls,
  type SessionLifecycleEvent,
  type Subscription,
} from '../../../negotiation/index.js';
import { writeError } from './rpc-json.js';
import { listenerTo } from './streams.js';

/** What a client of `StreamSession` asks for. */
interface Asked {
  readonly subscribe_session_id: string;
  readonly after_sequence: number;
}

type Ending = SessionLifecycleEvent['event_type'];

/**
 * `StreamSession` over HTTP: what was accepted in a session after a sequence number, then live, until the session is
 * over. The id of each event is its sequence number.
 *
 * @param resumed - the `Last-Event-ID` of a client that reconnects
 */
export async function followSession(
  calls: NegotiationCalls,
  { subscribe_session_id: id, after_sequence }: Asked,
  {
    response,
    sink,
    resumed,
  }: {
    readonly response: ServerResponse;
    readonly sink: () => Sink;
    readonly resumed: string | undefined;
  },
): Promise<Result<Subscription>> {
  const after = readAfter(after_sequence, resumed);
  if (!after.ok) return after;
  const found = await calls.session(id);
  if (!found.ok) return found;
  const { state, message_count = 0 } = found.value;
  if (isFinal(state) && message_count <= after.value) {
    sink();
    end(response, id, state);
    return success({ stop() {} });
  }
  const listener = listenerTo(sink, frameOf);
  const write = (record: AcceptedRecord): void => {
    listener.write(record);
    end(response, id, lifecycleEventOf(record));
  };
  return await calls.follow(id, after.value, { ...listener, write });
}

function readAfter(asked: number, resumed: string | undefined): Result<number> {
  if (resumed === undefined) return success(asked);
  if (/^\d{1,15}$/.test(resumed) && (asked === 0 || asked === Number(resumed)))
    return success(Number(resumed));
  const expected = asked === 0 ? 'a sequence number' : `${asked}, as in after_sequence`;
  const what = `Last-Event-ID is "${resumed}"; expected ${expected}.`;
  return failure(refuse('INVALID_ENVELOPE', what, { field: 'Last-Event-ID', found: resumed, expected }));
}

/** An outcome ends the stream; a session that ended without one also says so, or the client would reconnect. */
function end(response: ServerResponse, id: string, how: Ending | undefined | 'OPEN'): void {
  if (how === 'RESOLVED') response.end();
  else if (how === 'CANCELLED' || how === 'EXPIRED') response.end(errorEvent(refuseOver(how), id));
}

/** The last event of a stream that ends because of an error. */
export function errorEvent(refusal: Refusal, sessionId = ''): string {
  const error = writeError(macpError({ session_id: sessionId, message_id: '' }, refusal));
  return `event: error\ndata: ${JSON.stringify({ error })}\n\n`;
}

function refuseOver(how: 'CANCELLED' | 'EXPIRED'): Refusal {
  return refuse('SESSION_NOT_OPEN', `The session is ${how.toLowerCase()}.`, { state: how });
}

function frameOf({ envelope, version }: AcceptedRecord): Buffer {
  const text = JSON.stringify({ envelope: writeMacpJson(envelope) });
  return frameMessage('event-stream', { text, seq: version });
}
