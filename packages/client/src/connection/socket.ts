import type { JsonObject } from '@proffer/core/json';

/** One WebSocket, without anything that differs between hosts. */
export interface Socket {
  send(text: string): void;
  close(): void;
  /** Stops reading, where the host can; the peer then sees that we are slow. */
  pause?(): void;
  resume?(): void;
}

/** How a socket ended, or why it was never open. */
export interface SocketEnd {
  /** The WebSocket close code; 1006 when there was no goodbye. */
  readonly code: number;
  /** What the gateway said instead of letting us in. */
  readonly refusal?: { readonly code: string; readonly message: string; readonly details: JsonObject };
  readonly cause?: unknown;
}

export interface SocketEvents {
  /** From now on something can be sent. */
  onOpen?(): void;
  onText(text: string): void;
  /** Called once, also for a socket that never opened. */
  onClose(end: SocketEnd): void;
}

/** Where to, and as whom. */
export interface SocketAddress {
  readonly url: string;
  readonly token: string;
  /**
   * Where the gateway says over HTTP what it has against us, for hosts that do not tell why a WebSocket was
   * not let in. Default the feed of the space that the address names.
   */
  readonly probe?: string;
}

/** Opens a socket with a token. May throw for an address that can never work. */
export type OpenSocket = (address: SocketAddress, events: SocketEvents) => Socket;
