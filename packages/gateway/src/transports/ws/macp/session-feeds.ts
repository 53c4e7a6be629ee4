import { type Refusal, refuse } from '@proffer/core';
import { quote } from '@proffer/core/json';
import { type Addressed, macpRefusal } from '@proffer/core/negotiation';
import { frameMessage, type Sink } from '../../../delivery/index.js';
import {
  type AcceptedRecord,
  type NegotiationCaller,
  type NegotiationCalls,
  writeAccepted,
} from '../../../negotiation/index.js';

/** How many sessions one connection may follow: each may have a chunk of history in flight (I-7). */
const MAX_FOLLOWED = 128;

export interface SessionFeedsOptions {
  readonly caller: Pick<NegotiationCaller, 'countRefusal'>;
  readonly sink: Sink;
  readonly refuse: (refusal: Refusal, about: Addressed) => void;
}

/** The sessions that one connection follows. */
export interface SessionFeeds {
  /** Each session once; refuses duplicates, and too many. */
  subscribe(sessionId: string, after: number, calls: Pick<NegotiationCalls, 'follow'>): Promise<void>;
  /** Does nothing for one that is not followed. */
  unsubscribe(sessionId: string): void;
  /** Ends all, including pending ones. */
  stop(): void;
}

/** Each accepted envelope is serialised once, for all followers of its session. */
const frames = new WeakMap<AcceptedRecord, Buffer>();

function frameOf(record: AcceptedRecord): Buffer {
  const known = frames.get(record);
  if (known !== undefined) return known;
  const frame = frameMessage('websocket', { text: JSON.stringify(writeAccepted(record)) });
  frames.set(record, frame);
  return frame;
}

export function createSessionFeeds({ caller, sink, refuse: tell }: SessionFeedsOptions): SessionFeeds {
  /** How to end each; registered when it is requested. */
  const feeds = new Map<string, { stop(): void }>();
  let isOver = false;

  return {
    async subscribe(sessionId, after, calls) {
      const about = { session_id: sessionId, message_id: '' };
      const refused = whyNot(sessionId, feeds);
      if (refused !== undefined) {
        caller.countRefusal(refused.code);
        return tell(macpRefusal(refused), about);
      }
      const feed = { stop() {} };
      feeds.set(sessionId, feed);
      const followed = await calls.follow(sessionId, after, {
        ...sink,
        write: (record) => sink.write(frameOf(record)),
      });
      if (!followed.ok) {
        if (feeds.get(sessionId) === feed) feeds.delete(sessionId);
        return tell(followed.refusal, about);
      }
      // Meanwhile the peer may have unsubscribed, or be gone.
      if (isOver || feeds.get(sessionId) !== feed) return followed.value.stop();
      feed.stop = () => followed.value.stop();
    },
    unsubscribe(sessionId) {
      feeds.get(sessionId)?.stop();
      feeds.delete(sessionId);
    },
    stop() {
      isOver = true;
      for (const feed of feeds.values()) feed.stop();
      feeds.clear();
    },
  };
}

function whyNot(sessionId: string, feeds: ReadonlyMap<string, unknown>): Refusal | undefined {
  const field = 'subscribe_session_id';
  if (feeds.has(sessionId)) {
    const what = `This connection already follows session ${quote(sessionId)}.`;
    return refuse('INVALID_ENVELOPE', what, { field, found: quote(sessionId), expected: 'another session' });
  }
  if (feeds.size < MAX_FOLLOWED) return undefined;
  const what = `This connection already follows ${MAX_FOLLOWED} sessions.`;
  return refuse('too_many_followed_sessions', what, { field, limit: MAX_FOLLOWED });
}
