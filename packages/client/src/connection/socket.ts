import type { JsonObject } from '@proffer/core';

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
  onText(text: string): void;
  /** Called once, also for a socket that never opened. */
  onClose(end: SocketEnd): void;
}

/** Opens a socket with a token. May throw for an address that can never work. */
export type OpenSocket = (
  address: { readonly url: string; readonly token: string },
  events: SocketEvents,
) => Socket;
