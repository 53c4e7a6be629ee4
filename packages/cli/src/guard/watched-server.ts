import type { JsonRpcChannel } from '@proffer/mcp';

/** A server, and how it behaved. */
export interface WatchedServer {
  readonly channel: JsonRpcChannel;
  /** Why it exited, if it did so on its own, and whether it had sent anything before. */
  readonly ending: () => { readonly cause: Error; readonly hasSpoken: boolean } | undefined;
}

/** Watches whether a server ever sends anything, and why it exits. */
export function watchServer(server: JsonRpcChannel): WatchedServer {
  let hasSpoken = false;
  let ended: Error | undefined;
  const channel: JsonRpcChannel = {
    ...server,
    open: (events) =>
      server.open({
        ...events,
        onMessage(message, text) {
          hasSpoken = true;
          events.onMessage(message, text);
        },
        onClose(cause) {
          ended = cause;
          events.onClose(cause);
        },
      }),
  };
  return { channel, ending: () => (ended === undefined ? undefined : { cause: ended, hasSpoken }) };
}
