import { type Ack, type Addressed, macpError, quote, type Refusal, type Result, refuse } from '@proffer/core';
import { RUNTIME_SERVICE, type WireEnvelope } from '@proffer/wire';
import type { Rate } from '../config/index.js';
import { createBadMessageCounter } from '../limits/index.js';
import type { AcceptedRecord, Listener, Party } from '../negotiation/runtime.js';
import { type Call, frame } from './call.js';
import { acceptedFrame, readSent, refuseMissing } from './envelope.js';
import { listenOn } from './listener.js';
import { PREFIX } from './message-reader.js';
import type { Receiver, Route } from './route.js';
import { ENDED } from './status.js';

const { streamSession: STREAM } = RUNTIME_SERVICE;

interface StreamRequest {
  readonly envelope?: WireEnvelope | undefined;
  readonly subscribe_session_id: string;
  readonly after_sequence: number;
}

export interface StreamSessionOptions {
  /** Frames that could not be understood, before the stream is ended. */
  readonly badMessages: Rate;
  readonly clock: () => number;
}

/** A peer whose frames of this many bytes are not decided yet has to wait before it is read on (I-7). */
const MOST_UNDECIDED = 4_194_304;

/**
 * `StreamSession`: the session that the first frame names, to send to and to follow. Who subscribes
 * follows from where it asks, until it cancels. Who only sends follows from its first accepted envelope
 * on, and the stream ends when it has ended its side and has got back what it sent. What is wrong with
 * a frame comes as an error on the stream, which goes on.
 */
export function streamSessionRoute(options: StreamSessionOptions): Route {
  return {
    path: STREAM.path,
    open({ call, stay }) {
      let receiver: Receiver | undefined;
      call.pause();
      const begin = async (): Promise<void> => {
        const party = await stay();
        if (!party.ok) return call.refuse(party.refusal);
        receiver = serveStream(call, party.value, options);
        call.begin();
        call.resume();
      };
      begin().catch(call.fail);
      // Nothing is read before there is somebody to take it.
      return { take: (message) => receiver?.take(message), end: () => receiver?.end() };
    },
  };
}

function serveStream(call: Call, party: Party, { badMessages, clock }: StreamSessionOptions): Receiver {
  const countBad = createBadMessageCounter(badMessages);
  let sessionId = '';
  let following: 'no' | 'asked' | 'yes' = 'no';
  let hasSubscribed = false;
  let hasEnded = false;
  let undecided = 0;
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

  function endIfDone(): void {
    if (hasEnded && undecided === 0 && !hasSubscribed && written >= last) call.finish('OK');
  }

  function tell(refusal: Refusal, about: Addressed): void {
    call.write(frame(STREAM.response.write({ error: macpError(about, refusal) }, PREFIX)));
  }

  function refuseFrame(refusal: Refusal, about: Addressed): void {
    tell(refusal, about);
    if (countBad(clock()) === undefined) return;
    const { status, message } = ENDED.too_many_errors;
    call.dismiss(status, message);
  }

  /** The first frame says which session the stream is for. */
  function bind(wanted: string): Refusal | undefined {
    if (sessionId === '') sessionId = wanted;
    return sessionId === wanted ? undefined : refuseOther(sessionId, wanted);
  }

  async function follow(after: number): Promise<void> {
    following = 'asked';
    const followed = await party.follow(sessionId, after, listener);
    if (followed.ok) {
      following = 'yes';
      return call.onOver(() => followed.value.stop());
    }
    following = 'no';
    hasSubscribed = false;
    tell(followed.refusal, { session_id: sessionId, message_id: '' });
  }

  async function subscribe(wanted: string, after: number): Promise<void> {
    const refused = following === 'no' ? bind(wanted) : refuseSecond(sessionId);
    if (refused !== undefined) return refuseFrame(refused, { session_id: wanted, message_id: '' });
    hasSubscribed = true;
    await follow(after);
    // An envelope may have been accepted meanwhile.
    if (following === 'no' && first !== undefined) await follow(first - 1);
  }

  async function send(wire: WireEnvelope): Promise<void> {
    const refused = wire.session_id === '' ? refuseAmbient() : bind(wire.session_id);
    if (refused !== undefined) return refuseFrame(refused, wire);
    const sent = readSent(wire);
    if (!sent.ok) return refuseFrame(sent.refusal, wire);
    await settle(await party.send(sent.value));
  }

  async function settle(ack: Ack): Promise<void> {
    if (ack.error !== undefined)
      return call.write(frame(STREAM.response.write({ error: ack.error }, PREFIX)));
    if (ack.duplicate) tell(refuseDuplicate(ack), ack);
    const { sequence } = ack;
    if (sequence === undefined) return;
    first = Math.min(first ?? sequence, sequence);
    last = Math.max(last, sequence);
    if (following === 'no') await follow(first - 1);
  }

  async function take(request: StreamRequest): Promise<void> {
    const { envelope, subscribe_session_id, after_sequence } = request;
    const about = { session_id: subscribe_session_id, message_id: '' };
    if (subscribe_session_id === '') return await (envelope === undefined ? missing(about) : send(envelope));
    if (envelope !== undefined) return refuseFrame(refuseBoth(), envelope);
    await subscribe(subscribe_session_id, after_sequence);
  }

  async function serve(request: Result<StreamRequest>, size: number): Promise<void> {
    if (request.ok) await take(request.value);
    else refuseFrame(request.refusal, { session_id: sessionId, message_id: '' });
    undecided -= size;
    if (undecided <= MOST_UNDECIDED) call.resume();
    endIfDone();
  }

  const missing = (about: Addressed): void => refuseFrame(refuseMissing(), about);

  return {
    take(message) {
      const size = message.length;
      undecided += size;
      if (undecided > MOST_UNDECIDED) call.pause();
      serve(STREAM.request.read(message), size).catch(call.fail);
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
