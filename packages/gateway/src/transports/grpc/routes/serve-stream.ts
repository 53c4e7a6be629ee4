import { failure, type Refusal, type Result } from '@proffer/core';
import { type Ack, type Addressed, macpError } from '@proffer/core/negotiation';
import { RUNTIME_SERVICE, type WireEnvelope } from '@proffer/wire';
import type { Rate } from '../../../config/index.js';
import { createBadMessageCounter, STRANGER_BYTES } from '../../../door/index.js';
import type {
  AcceptedRecord,
  FollowedSession,
  FramedEnvelope,
  Listener,
  NegotiationCaller,
  NegotiationCalls,
} from '../../../negotiation/index.js';
import { createCallThrottle, frame, type GrpcCall, listenOn, PREFIX, type Receiver } from '../call/index.js';
import { ENDED } from '../status.js';
import { acceptedFrame, readSent, refuseMissing } from './envelope.js';
import { createStartOrder } from './start-order.js';
import { refuseAmbient, refuseBoth, refuseDuplicate, refuseOther, refuseSecond } from './stream-refusals.js';

const { streamSession: STREAM } = RUNTIME_SERVICE;

/** Why there is no session to follow. */
const GONE: ReadonlySet<string> = new Set(['SESSION_NOT_FOUND', 'HISTORY_UNAVAILABLE']);

interface StreamRequest {
  readonly envelope?: WireEnvelope | undefined;
  readonly subscribe_session_id: string;
  readonly after_sequence: number;
}

/** A frame being processed, and whether it turned out not to be an envelope for this stream. */
interface StreamSending extends FramedEnvelope {
  isMisunderstood: boolean;
}

export interface StreamSessionOptions {
  /** Malformed frames before the stream is ended. */
  readonly badMessages: Rate;
  /** Bytes that a peer may leave unread before the stream is ended. */
  readonly maxUnread: number;
  readonly onFellBehind: () => void;
  readonly clock: () => number;
}

/** Serves one long-lived stream of a caller. */
export function serveStream(
  call: GrpcCall,
  caller: NegotiationCaller,
  options: StreamSessionOptions,
): Receiver {
  const { badMessages, maxUnread, onFellBehind, clock } = options;
  const countBad = createBadMessageCounter(badMessages);
  const throttle = createCallThrottle(call);
  // Until a frame determines the session of the stream, the next one cannot be judged.
  const turns = createStartOrder(() => sessionId !== '');
  let sessionId = '';
  let following: FollowedSession | undefined;
  // Resolves when it is known whether the sent messages are followed; absent before anything was sent.
  let sentFollowing: Promise<void> | undefined;
  // Whether it has resolved.
  let isFollowing = false;
  let hasSubscribed = false;
  let hasEnded = false;
  let undecided = 0;
  // The sequence number of the first envelope accepted here.
  let first: number | undefined;

  const listener: Listener<AcceptedRecord> = listenOn(call, acceptedFrame);

  // A stream without a session has to end as well.
  const presence = caller.stay((why) => listener.end(why));
  call.onOver(() => presence.stop());

  async function endIfDone(): Promise<void> {
    if (!hasEnded || undecided > 0) return;
    await following?.delivered();
    call.finish('OK');
  }

  function sendError(error: ReturnType<typeof macpError>): void {
    call.write(frame(STREAM.response.write({ error }, PREFIX)));
    if (error.code === 'RATE_LIMITED') throttle.holdBack(error);
    throttle.wrote();
    if (call.buffered() <= maxUnread || call.isOver()) return;
    listener.end('fell_behind');
    onFellBehind();
  }

  function tell(refusal: Refusal, about: Addressed): void {
    sendError(macpError(about, refusal));
  }

  function refuseFrame(refusal: Refusal, about: Addressed): void {
    caller.countRefusal(refusal.code);
    tell(refusal, about);
    countMalformed();
  }

  function countMalformed(): void {
    if (countBad(clock()) === undefined) return;
    const { status, message } = ENDED.too_many_errors;
    call.dismiss(status, message);
  }

  /** Only an accepted or followed message determines the session of the stream (I-5). */
  function refuseUnlessFor(wanted: string): Refusal | undefined {
    return sessionId === '' || sessionId === wanted ? undefined : refuseOther(sessionId, wanted);
  }

  /** Follows another session; the previous one stops before anything of the new one arrives. */
  async function follow(
    ask: (listener: Listener<AcceptedRecord>) => Promise<Result<FollowedSession>>,
  ): Promise<Refusal | undefined> {
    const before = following;
    const followed = await ask({
      ...listener,
      write(record) {
        before?.stop();
        listener.write(record);
      },
    });
    if (!followed.ok) return followed.refusal;
    before?.stop();
    following = followed.value;
    call.onOver(() => followed.value.stop());
    return undefined;
  }

  /** A sender would wait for its message in vain if it could not be followed. */
  async function followSent(sequence: number, calls: NegotiationCalls): Promise<void> {
    const refused = await follow((heard) => calls.followSent(sessionId, sequence, heard));
    if (refused !== undefined) call.refuse(refused);
    isFollowing = true;
  }

  async function subscribe(
    { subscribe_session_id: wanted, after_sequence: after }: StreamRequest,
    calls: NegotiationCalls,
  ): Promise<void> {
    const about = { session_id: wanted, message_id: '' };
    const refused = hasSubscribed ? refuseSecond(sessionId) : refuseUnlessFor(wanted);
    if (refused !== undefined) return refuseFrame(refused, about);
    hasSubscribed = true;
    await sentFollowing;
    const notFollowed = await follow((heard) => calls.follow(wanted, after, heard));
    if (notFollowed === undefined) {
      sessionId = wanted;
      return;
    }
    hasSubscribed = false;
    // There is nothing to follow: clients that come before their session wait for a status, and retry.
    if (GONE.has(notFollowed.code)) return call.refuse(notFollowed);
    tell(notFollowed, about);
    // An envelope may have been accepted in the meantime.
    if (first !== undefined) await (sentFollowing ??= followSent(first, calls));
  }

  /**
   * An envelope for the session of this stream. Anything else counts as malformed once the sender was told.
   */
  function sendingOf(wire: WireEnvelope): StreamSending {
    const sending: StreamSending = {
      address: wire,
      isMisunderstood: false,
      decode() {
        const refused = wire.session_id === '' ? refuseAmbient() : refuseUnlessFor(wire.session_id);
        const sent = refused === undefined ? readSent(wire) : failure(refused);
        sending.isMisunderstood = !sent.ok;
        return sent;
      },
    };
    return sending;
  }

  /** A malformed frame is still a message: it is rate-limited and counted. */
  function unreadable(refusal: Refusal): StreamSending {
    const address = { session_id: sessionId, message_id: '' };
    return { address, isMisunderstood: true, decode: () => failure(refusal) };
  }

  async function send(sending: StreamSending, calls: NegotiationCalls): Promise<void> {
    await settle(await calls.send(sending), calls);
    if (sending.isMisunderstood) countMalformed();
  }

  async function settle(ack: Ack, calls: NegotiationCalls): Promise<void> {
    if (ack.error !== undefined) return sendError(ack.error);
    if (ack.duplicate) tell(refuseDuplicate(ack), ack);
    const { sequence } = ack;
    if (sequence === undefined) return;
    sessionId = ack.session_id;
    first = Math.min(first ?? sequence, sequence);
    if (!hasSubscribed) await (sentFollowing ??= followSent(first, calls));
  }

  async function take(request: StreamRequest, calls: NegotiationCalls): Promise<void> {
    const { envelope, subscribe_session_id } = request;
    if (call.isOver()) return;
    if (subscribe_session_id === '') {
      return await send(envelope === undefined ? unreadable(refuseMissing()) : sendingOf(envelope), calls);
    }
    if (envelope !== undefined) {
      const refusal = refuseBoth();
      caller.countRefusal(refusal.code);
      return call.refuse(refusal);
    }
    await subscribe(request, calls);
  }

  /**
   * Nearly every frame is one more envelope for an already followed session: those need no promise. Anything
   * else is handled like the others.
   */
  function sendNext(wire: WireEnvelope, calls: NegotiationCalls, size: number): void {
    if (call.isOver()) return served(size);
    const sending = sendingOf(wire);
    calls.sendThen(sending, (ack) => {
      if (ack.ok && !ack.duplicate && (isFollowing || hasSubscribed)) return served(size);
      if (sending.isMisunderstood) countMalformed();
      finish(settle(ack, calls), size);
    });
  }

  function served(size: number): void {
    undecided--;
    throttle.end(size);
    if (hasEnded) endIfDone().catch(fail);
  }

  function finish(work: Promise<void>, size: number): void {
    work.then(() => served(size)).catch(fail);
  }

  const fail = (error: unknown): void => call.fail(error);

  function serve(request: Result<StreamRequest>, calls: NegotiationCalls, size: number): void {
    if (!request.ok) return finish(send(unreadable(request.refusal), calls), size);
    const { envelope, subscribe_session_id } = request.value;
    const isNext = envelope !== undefined && subscribe_session_id === '' && turns.isOpen();
    if (isNext) return sendNext(envelope, calls, size);
    const taking = turns.run(() => take(request.value, calls));
    finish(taking, size);
  }

  /** A frame over the rate is parsed, if it is small, only to name it in the answer. */
  function refuseAttempt(refusal: Refusal, message: Buffer): void {
    if (call.isOver()) return;
    const read = message.length <= STRANGER_BYTES ? STREAM.request.read(message) : undefined;
    const named = read?.ok === true ? read.value : undefined;
    const session_id = named?.subscribe_session_id || sessionId;
    tell(refusal, named?.envelope ?? { session_id, message_id: '' });
  }

  return {
    take(message) {
      const size = message.length;
      undecided++;
      throttle.begin(size);
      try {
        const attempt = caller.checkRightsAndRate();
        if (attempt.ok) return serve(STREAM.request.read(message), attempt.value, size);
        refuseAttempt(attempt.refusal, message);
        served(size);
      } catch (error) {
        fail(error);
      }
    },
    end() {
      hasEnded = true;
      endIfDone().catch(fail);
    },
  };
}
