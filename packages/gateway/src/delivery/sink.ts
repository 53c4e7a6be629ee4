/** Where a subscriber's bytes go: a socket, with what must be known to keep its memory bounded. */
export interface Sink {
  /** Hands over whole frames. Never waits. */
  write(frames: Buffer): void;
  /** Bytes handed over that the peer has not taken yet. */
  buffered(): number;
  /** Settles when the peer has read most of them, or is gone. */
  drained(): Promise<void>;
  /** Ends the connection, with a reason that tells the peer what to do. */
  end(why: Ending): void;
}

/** Why the gateway ends a connection. Each has a WebSocket close code; all but two invite the peer back. */
export const ENDINGS = {
  /** It reads more slowly than messages come: reconnect with `after` and the last `seq` it saw. */
  fell_behind: 4408,
  /** The gateway stops: reconnect, to this one or another. */
  going_away: 1001,
  /** The journal broke while history was read: reconnect with `after`. */
  interrupted: 1011,
  /** Its token no longer counts. */
  credential_revoked: 4401,
  /** Too many messages that could not be read. */
  too_many_errors: 4400,
} as const;

export type Ending = keyof typeof ENDINGS;
