import type { Channel } from '@proffer/mcp';

/** A server, and what is known of how it went. */
export interface WatchedServer {
  readonly channel: Channel;
  /** Why it ended, if it did so before it had said anything. */
  readonly failure: () => Error | undefined;
}

/** Looks whether a server ever says anything. */
export function watchServer(server: Channel): WatchedServer {
  let hasSpoken = false;
  let failure: Error | undefined;
  const channel: Channel = {
    ...server,
    open: (events) =>
      server.open({
        ...events,
        onMessage(message, text) {
          hasSpoken = true;
          events.onMessage(message, text);
        },
        onClose(cause) {
          if (!hasSpoken) failure = cause;
          events.onClose(cause);
        },
      }),
  };
  return { channel, failure: () => failure };
}
