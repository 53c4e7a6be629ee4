/** Where a subscriber's bytes go: a socket, with what is needed to keep its memory bounded. */
export interface Sink {
  /** Writes whole frames. Never waits. */
  write(frames: Buffer): void;
  /** Bytes written that the peer has not read yet. */
  buffered(): number;
  /** Resolves when the peer has read most of them, or is gone. */
  drained(): Promise<void>;
  /** Ends the connection, with a reason that tells the peer what to do. */
  end(why: ConnectionEnding): void;
}

/**
 * Why the gateway ends a connection. Each has a WebSocket close code; after all but the last three the
 * peer may reconnect.
 */
export const ENDINGS = {
  /** The peer reads too slowly: reconnect with `after` and the last `seq` it saw. */
  fell_behind: 4408,
  /** The gateway stops: reconnect, to this one or another. */
  going_away: 1001,
  /** The journal broke while history was read: reconnect with `after`. */
  interrupted: 1011,
  /** The peer's token is no longer valid. */
  credential_revoked: 4401,
  /** The participant was removed from the space (O-52). */
  kicked: 4403,
  /** Too many malformed messages. */
  too_many_errors: 4400,
} as const;

export type ConnectionEnding = keyof typeof ENDINGS;
