import type { JsonObject, JsonValue } from '@proffer/core/json';
import type { ClientOptions } from 'ws';
import { connectPeer, type Peer } from './peer.js';

/** An independent negotiation client: a plain WebSocket at `/macp/ws`, and every frame it received. */
export interface MacpPeer extends AsyncDisposable, Pick<Peer, 'socket' | 'closed' | 'send'> {
  readonly frames: readonly JsonObject[];
  /** The first matching frame, past or future. */
  next(fits: (frame: JsonObject) => boolean): Promise<JsonObject>;
  /** Sends an envelope and returns its acknowledgement. */
  say(envelope: JsonObject & { readonly message_id: string }): Promise<JsonObject>;
  /** The next accepted envelopes, from a sequence number on, see {@link placeOf}. */
  accepted(from: number, count: number): Promise<readonly string[]>;
}

export async function connectMacpPeer(
  { http }: { readonly http: string },
  token: string,
  options: ClientOptions = {},
): Promise<MacpPeer> {
  const peer = await connectPeer(macpSocket(http), token, {}, options);
  // A peer's messages are frames here.
  const frames: readonly JsonObject[] = peer.messages;
  const next = (fits: (frame: JsonObject) => boolean): Promise<JsonObject> => peer.next(fits);
  return {
    socket: peer.socket,
    closed: peer.closed,
    send: (frame) => peer.send(frame),
    frames,
    next,
    async say(envelope) {
      peer.send(envelope);
      const { ack } = await next(
        (frame) => (frame['ack'] as JsonObject | undefined)?.['message_id'] === envelope.message_id,
      );
      return ack as JsonObject;
    },
    async accepted(from, count) {
      await next(({ sequence }) => sequence === from + count - 1);
      return frames
        .filter(({ sequence }) => sequence !== undefined)
        .map(({ sequence, envelope }) => placeOf(sequence, (envelope as JsonObject)['message_id']));
    },
    [Symbol.asyncDispose]: () => peer[Symbol.asyncDispose](),
  };
}

/** An accepted envelope as its position and its id. */
export function placeOf(sequence: JsonValue | undefined, messageId: JsonValue | undefined): string {
  return JSON.stringify([sequence, messageId]);
}

/** The WebSocket address of the negotiation. */
export function macpSocket(http: string): string {
  return `${http.replace('http', 'ws')}/macp/ws`;
}
