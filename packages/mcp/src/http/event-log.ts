import type { EventStore } from '@modelcontextprotocol/server';
import type { JsonObject } from '@proffer/core/json';

/** What clients with sessions were sent, so that one whose stream broke can resume (`Last-Event-ID`). */
export interface EventLog {
  /**
   * The log of one session: no other can read it.
   *
   * @param hooks - called with events of its streams
   */
  forSession(session: string, hooks: StreamHooks): EventStore;
  /** Whether a session was sent this event, and it is still stored. */
  has(session: string, id: string): boolean;
  /** Drops the events of a session. */
  forget(session: string): void;
}

export interface StreamHooks {
  /** A stream began; called while the request it answers is handled. */
  readonly onOpened: (stream: string) => void;
  /** A client resumes a stream, which may not have broken as far as we know. */
  readonly onResuming: (stream: string) => void;
  /** What is sent on the stream from now on reaches the client. */
  readonly onResumed: (stream: string) => void;
}

interface LoggedEvent {
  readonly session: string;
  readonly stream: string;
  readonly message: JsonObject;
  readonly size: number;
}

/** Limits for all sessions together (I-7). The newest event is kept however large it is. */
const MAX_EVENTS = 10_000;
const MAX_CHARACTERS = 8 * 1_048_576;

export function createEventLog(): EventLog {
  const events = new Map<string, LoggedEvent>();
  let characters = 0;
  let last = 0;

  function drop(id: string): void {
    characters -= events.get(id)?.size ?? 0;
    events.delete(id);
  }

  function add(event: LoggedEvent): string {
    const id = `${event.session}.${++last}`;
    events.set(id, event);
    characters += event.size;
    for (const oldest of events.keys()) {
      if (oldest === id || (events.size <= MAX_EVENTS && characters <= MAX_CHARACTERS)) break;
      drop(oldest);
    }
    return id;
  }

  return {
    has: (session, id) => events.get(id)?.session === session,
    forSession(session, { onOpened, onResuming, onResumed }) {
      return {
        async storeEvent(stream, message) {
          // The first event of a stream carries no message.
          const plain = message as unknown as JsonObject;
          const isFirst = plain['jsonrpc'] === undefined;
          if (isFirst) onOpened(stream);
          return add({ session, stream, message: plain, size: isFirst ? 0 : JSON.stringify(plain).length });
        },
        async replayEventsAfter(id, { send }) {
          const { stream } = events.get(id) ?? { stream: '' };
          onResuming(stream);
          let isAfter = false;
          for (const [other, event] of events) {
            if (isAfter && event.session === session && event.stream === stream)
              await send(other, event.message as unknown as Parameters<typeof send>[1]);
            if (other === id) isAfter = true;
          }
          // By then the stream has replaced the broken one.
          setImmediate(onResumed, stream);
          return stream;
        },
      };
    },
    forget(session) {
      for (const [id, event] of events) if (event.session === session) drop(id);
    },
  };
}
