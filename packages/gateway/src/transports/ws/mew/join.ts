import type { Duplex } from 'node:stream';
import { isIdentifier } from '@proffer/core';
import { isJsonObject, objectOf, parseJson } from '@proffer/core/json';
import type { RawData, WebSocket } from 'ws';
import { receivedText } from '../received-text.js';

/** The first message of a mew client: who joins, and where. */
export interface Join {
  readonly space: string;
  readonly token: string;
  /** What the client calls itself in its messages. */
  readonly participantId?: string;
}

/** How long a client may take to join, in milliseconds, and how many bytes it may send. */
export const JOIN_TIMEOUT = 5_000;
const MAX_BYTES = 16_384;

/** The first message of a WebSocket. */
export interface Beginning {
  /** Absent if it was anything else, too long or too late. */
  readonly join?: Join;
  /** Call it once there is a listener: delivers what came after the join, in order. */
  readonly resume: () => void;
}

/**
 * Waits for the first message of a WebSocket that came without a token, which has to be a join: `{ type:
 * 'join', space, token, participantId }`, or the same as `system/join` with a payload.
 *
 * @param timeout - in milliseconds. Default: {@link JOIN_TIMEOUT}
 */
export async function awaitJoin(
  webSocket: WebSocket,
  socket: Duplex,
  timeout = JOIN_TIMEOUT,
): Promise<Beginning> {
  const early: { readonly data: RawData; readonly isBinary: boolean }[] = [];
  const keep = (data: RawData, isBinary: boolean): void => void early.push({ data, isBinary });
  const join = await new Promise<Join | undefined>((resolve) => {
    let bytes = 0;
    const count = (chunk: Buffer): void => {
      bytes += chunk.length;
      if (bytes > MAX_BYTES) end(undefined);
    };
    const take = (data: RawData, isBinary: boolean): void => {
      webSocket.pause();
      webSocket.on('message', keep);
      end(isBinary ? undefined : readJoin(receivedText(data).text()));
    };
    const late = setTimeout(() => end(undefined), timeout);
    const end = (joined: Join | undefined): void => {
      clearTimeout(late);
      socket.off('data', count);
      webSocket.off('message', take);
      resolve(joined);
    };
    socket.on('data', count);
    webSocket.on('message', take);
    webSocket.once('close', () => end(undefined));
    webSocket.on('error', () => end(undefined));
  });
  return {
    ...(join === undefined ? {} : { join }),
    resume() {
      webSocket.off('message', keep);
      for (const { data, isBinary } of early) webSocket.emit('message', data, isBinary);
      webSocket.resume();
    },
  };
}

/** The close code of a WebSocket whose peer broke the rules (RFC 6455, 7.4.1). */
const POLICY = 1008;

/** How long a disconnected peer has to answer the close, in milliseconds. */
const CLOSING = 1_000;

/** Closes a connection that is not served. */
export function sendAway(webSocket: WebSocket, why: string): void {
  // The client's answer to the close has to be read.
  webSocket.resume();
  webSocket.close(POLICY, why);
  setTimeout(() => webSocket.terminate(), CLOSING).unref();
}

/** Reads a join; `undefined` for any other message. */
export function readJoin(text: string): Join | undefined {
  const parsed = parseJson(text);
  if (!parsed.ok || !isJsonObject(parsed.value)) return undefined;
  const { type, kind, payload } = parsed.value;
  if (type !== 'join' && kind !== 'system/join') return undefined;
  const { space, token, participantId } = { ...objectOf(payload), ...parsed.value };
  if (typeof space !== 'string' || typeof token !== 'string') return undefined;
  return { space, token, ...(isIdentifier(participantId) ? { participantId } : {}) };
}
