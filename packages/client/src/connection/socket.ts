import { isJsonObject, type JsonObject, objectOf } from '@proffer/core/json';

/** One WebSocket, abstracted from the host. */
export interface Socket {
  send(text: string): void;
  close(): void;
  /** Stops reading, if the host can; the peer then sees that we are slow. */
  pause?(): void;
  resume?(): void;
}

/** How a socket ended, or why it never opened. */
export interface SocketEnd {
  /** The WebSocket close code; 1006 if there was no close frame. */
  readonly code: number;
  /** The gateway's refusal, if it did not accept us. */
  readonly refusal?: { readonly code: string; readonly message: string; readonly details: JsonObject };
  readonly cause?: unknown;
}

export interface SocketEvents {
  /** From now on messages can be sent. */
  onOpen?(): void;
  onText(text: string): void;
  /** Called once, even for a socket that never opened. */
  onClose(end: SocketEnd): void;
}

/** Where to, and as whom. */
export interface SocketAddress {
  readonly url: string;
  readonly token: string;
  /**
   * Where the gateway says over HTTP why it refuses us, for hosts that do not say why a WebSocket
   * failed. Default: the feed of the space in the address.
   */
  readonly probe?: string;
}

/** Opens a socket with a token. May throw for an address that can never work. */
export type OpenSocket = (address: SocketAddress, events: SocketEvents) => Socket;

/**
 * Parses the body of an HTTP refusal: problem details, `{ code, detail, details }`, or as the MACP
 * routes have it, `{ error: { code, message, details } }`.
 */
export function readRefusalBody(text: string): SocketEnd['refusal'] {
  try {
    return refusalIn(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** The refusal in a parsed body. */
export function refusalIn(body: unknown): SocketEnd['refusal'] {
  if (!isJsonObject(body)) return undefined;
  const refusal = isJsonObject(body['error']) ? body['error'] : body;
  const { code, message = refusal['detail'], details } = refusal;
  if (typeof code !== 'string' || typeof message !== 'string') return undefined;
  return { code, message, details: objectOf(details) };
}
