import { type Ack, type Addressed, macpError, quote, type Refusal, type Result, refuse } from '@proffer/core';
import { RUNTIME_SERVICE, type WireEnvelope } from '@proffer/wire';
import type { Rate } from '../config/index.js';
import { createBadMessageCounter } from '../limits/index.js';
import type { AcceptedRecord, Listener, Party, Subscription } from '../negotiation/runtime.js';
import { type Call, frame } from './call.js';
import { acceptedFrame, readSent, refuseMissing } from './envelope.js';
import { listenOn } from './listener.js';
import { PREFIX } from './message-reader.js';
import { createCallReading } from './reading.js';
import type { Receiver, Route } from './route.js';
import { ENDED } from './status.js';
import { createTurns } from './turns.js';

const { streamSession: STREAM } = RUNTIME_SERVICE;

/** How long a stream stays whose session is not there, in milliseconds. */
const PATIENCE = 2_000;

interface StreamRequest {
  readonly envelope?: WireEnvelope | undefined;
  readonly subscribe_session_id: string;
  readonly after_sequence: number;
}

export interface StreamSessionOptions {
  /** Frames that could not be understood, before the stream is ended. */
  readonly badMessages: Rate;
  /** Bytes that a peer may leave unread before the stream is ended. */
  readonly maxUnread: number;
  readonly onFellBehind: () => void;
  readonly clock: () => number;
}

/**
 * `StreamSession`: the session of the first frame that is not refused, to send to and to follow. Who
 * subscribes follows from where it asks, until it cancels. Who only sends follows from its first accepted envelope
 * on, and the stream ends when it has ended its side and has got back what it sent. What is wrong with
 * a frame comes as an error on the stream, which goes on; without another frame it ends soon when the session
 * to follow is not there.
 */
export function streamSessionRoute(options: StreamSessionOptions): Route {
  return {
    path: STREAM.path,
    single: false,
    open(caller) {
      const { call } = caller;
      let receiver: Receiver | undefined;
      call.pause();
      const begin = async (): Promise<void> => {
        const party = await caller.stay();
        if (!party.ok) return call.refuse(party.refusal);
        receiver = serveStream(call, party.value, options);
        call.begin();
        call.resume();
      };
      begin().catch((error: unknown) => call.fail(error));
      // Nothing is read before there is somebody to take it.
      return { take: (message) => receiver?.take(message), end: () => receiver?.end() };
    },
  };
}

function serveStream(call: Call, party: Party, options: StreamSessionOptions): Receiver {
  const { badMessages, maxUnread, onFellBehind, clock } = options;
  const countBad = createBadMessageCounter(badMessages);
  const reading = createCallReading(call);
  // Until a frame says which session the stream is for, the next one cannot be judged.
  const inTurn = createTurns(() => sessionId !== '');
  let sessionId = '';
  let following: 'no' | 'asked' | 'yes' = 'no';
  let hasSubscribed = false;
  let hasEnded = false;
  let undecided = 0;
  // The session that was to be followed was not there, and nothing was said since.
  let tooEarly: Refusal | undefined;
  let leaving: NodeJS.Timeout | undefined;
  // Sequence numbers: of the first and the last envelope that was accepted here, and the last that was written.
  let first: number | undefined;
  let last = 0;
  let written = 0;

  const listener: Listener<AcceptedRecord> = {
    ...listenOn(call, acceptedFrame),
    write(record) {
      call.write(acceptedFrame(record));
      written = record.version;
      endIfDone();
    },
  };

  // Who has not said yet what it is here for has to go as well.
  const presence = party.stay((why) => listener.end(why));
  call.onOver(() => {
    presence.stop();
    clearTimeout(leaving);
  });

  function endIfDone(): void {
    if (!hasEnded || undecided > 0 || hasSubscribed || written < last) return;
    if (tooEarly === undefined) call.finish('OK');
    else call.refuse(tooEarly);
  }

  /** Clients that come before their session wait for a status, and come again. Others go on with this stream. */
  function waitForMore(refusal: Refusal): void {
    tooEarly = refusal;
    leaving = setTimeout(() => call.refuse(refusal), PATIENCE);
  }

  function tellError(error: ReturnType<typeof macpError>): void {
    call.write(frame(STREAM.response.write({ error }, PREFIX)));
    if (error.code === 'RATE_LIMITED') reading.holdBack(error);
    reading.wrote();
    if (call.buffered() <= maxUnread || call.isOver()) return;
    listener.end('fell_behind');
    onFellBehind();
  }

  function tell(refusal: Refusal, about: Addressed): void {
    tellError(macpError(about, refusal));
  }

  function refuseFrame(refusal: Refusal, about: Addressed): void {
    tell(refusal, about);
    if (countBad(clock()) === undefined) return;
    const { status, message } = ENDED.too_many_errors;
    call.dismiss(status, message);
  }

  /** Only what was accepted or is followed says which session the stream is for (I-5). */
  function refuseUnlessFor(wanted: string): Refusal | undefined {
    return sessionId === '' || sessionId === wanted ? undefined : refuseOther(sessionId, wanted);
  }

  async function follow(asking: Promise<Result<Subscription>>): Promise<Refusal | undefined> {
    following = 'asked';
    const followed = await asking;
    following = followed.ok ? 'yes' : 'no';
    if (!followed.ok) return followed.refusal;
    call.onOver(() => followed.value.stop());
    return undefined;
  }

  /** Who sent something would wait for it in vain if it could not be followed. */
  async function followSent(sequence: number): Promise<void> {
    const refused = await follow(party.followSent(sessionId, sequence, listener));
    if (refused !== undefined) call.refuse(refused);
  }

  async function subscribe(wanted: string, after: number): Promise<void> {
    const about = { session_id: wanted, message_id: '' };
    const refused = following === 'no' ? refuseUnlessFor(wanted) : refuseSecond(sessionId);
    if (refused !== undefined) return refuseFrame(refused, about);
    hasSubscribed = true;
    const notFollowed = await follow(party.follow(wanted, after, listener));
    if (notFollowed === undefined) {
      sessionId = wanted;
      return;
    }
    hasSubscribed = false;
    tell(notFollowed, about);
    // An envelope may have been accepted meanwhile.
    if (first !== undefined) await followSent(first);
    else if (notFollowed.code === 'SESSION_NOT_FOUND') waitForMore(notFollowed);
  }

  async function send(wire: WireEnvelope): Promise<void> {
    const refused = wire.session_id === '' ? refuseAmbient() : refuseUnlessFor(wire.session_id);
    if (refused !== undefined) return refuseFrame(refused, wire);
    const sent = readSent(wire);
    if (!sent.ok) return refuseFrame(sent.refusal, wire);
    await settle(await party.send(sent.value));
  }

  async function settle(ack: Ack): Promise<void> {
    if (ack.error !== undefined) return tellError(ack.error);
    if (ack.duplicate) tell(refuseDuplicate(ack), ack);
    const { sequence } = ack;
    if (sequence === undefined) return;
    sessionId = ack.session_id;
    first = Math.min(first ?? sequence, sequence);
    last = Math.max(last, sequence);
    if (following === 'no') await followSent(first);
  }

  async function take(request: StreamRequest): Promise<void> {
    if (call.isOver()) return;
    tooEarly = undefined;
    clearTimeout(leaving);
    const { envelope, subscribe_session_id, after_sequence } = request;
    const about = { session_id: subscribe_session_id, message_id: '' };
    if (subscribe_session_id === '') return await (envelope === undefined ? missing(about) : send(envelope));
    if (envelope !== undefined) return refuseFrame(refuseBoth(), envelope);
    await subscribe(subscribe_session_id, after_sequence);
  }

  async function serve(request: Result<StreamRequest>, size: number): Promise<void> {
    if (request.ok) await inTurn(() => take(request.value));
    else refuseFrame(request.refusal, { session_id: sessionId, message_id: '' });
    undecided--;
    reading.end(size);
    endIfDone();
  }

  const missing = (about: Addressed): void => refuseFrame(refuseMissing(), about);

  return {
    take(message) {
      const size = message.length;
      undecided++;
      reading.begin(size);
      serve(STREAM.request.read(message), size).catch((error: unknown) => call.fail(error));
    },
    end() {
      hasEnded = true;
      endIfDone();
    },
  };
}

function refuseOther(sessionId: string, wanted: string): Refusal {
  const what = `This stream is for session ${quote(sessionId)}, not for ${quote(wanted)}; open another one.`;
  return refuse('INVALID_ENVELOPE', what, { field: 'session_id', found: quote(wanted), expected: sessionId });
}

function refuseSecond(sessionId: string): Refusal {
  const what = `This stream follows session ${quote(sessionId)} already; open another one.`;
  return refuse('INVALID_ENVELOPE', what, { field: 'subscribe_session_id' });
}

function refuseAmbient(): Refusal {
  return refuse('INVALID_ENVELOPE', 'session_id is empty; signals are sent with Send.', {
    field: 'session_id',
    found: 'nothing',
    expected: 'the id of a session',
  });
}

function refuseBoth(): Refusal {
  const what = 'A frame has an envelope and a session to subscribe to.';
  return refuse('INVALID_ENVELOPE', what, { field: 'subscribe_session_id', expected: 'one of the two' });
}

function refuseDuplicate({ message_id }: Ack): Refusal {
  const what = `${quote(message_id)} was accepted before, so nothing happened now.`;
  return refuse('DUPLICATE_MESSAGE', what, { field: 'message_id', found: quote(message_id) });
}
