import type { Duplex } from 'node:stream';
import { isIdentifier, type Refusal, refuse } from '@proffer/core';
import { isJsonObject, objectOf, parseJson, quote } from '@proffer/core/json';
import type { RawData, WebSocket } from 'ws';
import { receivedText } from '../received-text.js';

/** The first message of a mew client: who joins, and where. */
export interface Join {
  readonly space: string;
  /** Absent if the request had it in its header. */
  readonly token?: string;
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
 * Waits for the first message of a WebSocket that named no space, which has to be a join: `{ type:
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
  if (typeof space !== 'string' || (token !== undefined && typeof token !== 'string')) return undefined;
  const named = token === undefined ? { space } : { space, token };
  return { ...named, ...(isIdentifier(participantId) ? { participantId } : {}) };
}

/** Why a join does not fit the request that opened its WebSocket, if so: it is one client with one credential. */
export function refuseOtherJoin(
  join: Join,
  opened: { readonly token: string | undefined; readonly space?: string },
): Refusal | undefined {
  if (opened.space !== undefined && join.space !== opened.space) {
    const what = `The URL names the space ${quote(opened.space)}, but the join names ${quote(join.space)}.`;
    return refuse('invalid_field', what, { field: 'space', found: join.space, expected: opened.space });
  }
  if (join.token === undefined || opened.token === undefined || join.token === opened.token) return undefined;
  return refuse('unauthenticated', 'The join has another token than the request; send exactly one.', {
    field: 'token',
  });
}
