import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2';
import { macpRefusal, type Refusal } from '@proffer/core';
import { bearerToken } from '../auth/index.js';
import type { Budget } from './budget.js';
import { PREFIX } from './message-reader.js';
import { ANSWERED, CUT, grpcStatus, STATUS, type Status } from './status.js';

/** One RPC on its way, as its handler sees it. */
export interface Call {
  readonly path: string;
  /** From `authorization: Bearer …`. */
  readonly token: string | undefined;
  /** What the calls of one connection hold together. */
  readonly budget: Budget;
  /** True once it was answered or is gone; then nothing that is written arrives. */
  readonly isOver: () => boolean;
  /** Stops and goes on with taking messages; what arrived with one that was taken still comes. */
  pause(): void;
  resume(): void;
  /** Says that the call was taken, before there is anything to say. */
  begin(): void;
  /** Sends one message, framed; those of one turn of the event loop leave together. Never waits. */
  write(frame: Buffer): void;
  /** Bytes that the peer has not taken yet. */
  buffered(): number;
  /** Settles when the peer has taken most of them, or is gone. */
  drained(): Promise<void>;
  /** Ends the call; only the first time counts. */
  finish(status: Status, message?: string, code?: string): void;
  /** Ends it with a refusal: its status, its code and its sentence. */
  refuse(refusal: Refusal): void;
  /** Ends it because something went wrong that is ours to mend. */
  readonly fail: (error: unknown) => void;
  /** Ends it, and cuts off soon who does not read that. */
  dismiss(status: Status, message: string): void;
  /** Once it is over, whoever ended it. */
  onOver(then: () => void): void;
}

/** Below this many unread bytes a slow reader of history is given more. */
export const LOW_WATER = 65_536;

/** How long a peer has to read the end of a stream before it is cut, in milliseconds. */
const CLOSING = 2_000;

const HEADERS = { ':status': 200, 'content-type': 'application/grpc' } as const;

/** gRPC has no use for a date, and every answer would pay for one. */
const UNDATED = { sendDate: false } as const;

export interface CallOptions {
  readonly stream: ServerHttp2Stream;
  readonly headers: IncomingHttpHeaders;
  readonly budget: Budget;
  readonly onFault: (error: unknown, path: string) => void;
}

export function createCall({ stream, headers, budget, onFault }: CallOptions): Call {
  const path = headers[':path'] ?? '';
  let isFinished = false;
  let trailers: Record<string, string> = {};
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  const isOver = (): boolean => isFinished || stream.closed || stream.destroyed;

  function begin(): void {
    if (isOver() || stream.headersSent) return;
    stream.respond(HEADERS, { ...UNDATED, waitForTrailers: true });
    stream.once('wantTrailers', () => stream.sendTrailers(trailers));
  }

  /** Resets a stream that its peer keeps open although the call is over; at once, it would overtake the answer. */
  function resetLater(why: number): void {
    const timer = setTimeout(() => stream.close(why), CLOSING).unref();
    stream.once('close', () => clearTimeout(timer));
  }

  /** What waits to be written, in one piece. */
  function takeWaiting(): Buffer | undefined {
    const [first] = waiting;
    if (first === undefined) return undefined;
    const bytes = waiting.length === 1 ? first : Buffer.concat(waiting);
    waiting = [];
    waitingBytes = 0;
    return bytes;
  }

  function flush(): void {
    const bytes = takeWaiting();
    if (bytes !== undefined && !stream.closed && !stream.destroyed) stream.write(bytes);
  }

  function finish(status: Status, message = '', code = ''): void {
    if (isOver()) return;
    trailers = trailersOf(status, message, code);
    isFinished = true;
    if (!stream.readableEnded) {
      // What still comes is of no use, but the connection must not wait for it.
      stream.resume();
      resetLater(ANSWERED);
    }
    if (!stream.headersSent)
      return stream.respond({ ...HEADERS, ...trailers }, { ...UNDATED, endStream: true });
    stream.end(takeWaiting());
  }

  return {
    path,
    token: bearerToken(headers.authorization),
    budget,
    isOver,
    pause: () => void stream.pause(),
    resume: () => void stream.resume(),
    begin,
    write(frame) {
      if (isOver()) return;
      begin();
      if (waiting.length === 0) process.nextTick(flush);
      waiting.push(frame);
      waitingBytes += frame.length;
    },
    buffered: () => stream.writableLength + waitingBytes,
    drained() {
      flush();
      if (stream.writableLength <= LOW_WATER || stream.destroyed) return Promise.resolve();
      return new Promise((resolve) => {
        const done = (): void => {
          stream.off('drain', done);
          stream.off('close', done);
          resolve();
        };
        stream.on('drain', done);
        stream.on('close', done);
      });
    },
    finish,
    refuse(refusal) {
      const { code, message } = macpRefusal(refusal);
      finish(grpcStatus(code), `${code}: ${message}`, code);
    },
    fail(error) {
      onFault(error, path);
      finish('INTERNAL', 'INTERNAL_ERROR: Something went wrong in the gateway. Tell the operator.');
    },
    dismiss(status, message) {
      if (isOver()) return;
      finish(status, message);
      resetLater(CUT);
    },
    onOver(then) {
      if (stream.destroyed) then();
      else stream.once('close', then);
    },
  };
}

/** Puts the prefix in front of a message that was written with room for it. */
export function frame(message: Buffer): Buffer {
  message[0] = 0;
  message.writeUInt32BE(message.length - PREFIX, 1);
  return message;
}

function trailersOf(status: Status, message: string, code: string): Record<string, string> {
  return {
    'grpc-status': String(STATUS[status]),
    ...(message === '' ? {} : { 'grpc-message': encodeMessage(message) }),
    ...(code === '' ? {} : { 'macp-error-code': code }),
  };
}

/** Percent-encoding of everything but visible ASCII and the space, as gRPC wants it. */
function encodeMessage(message: string): string {
  return message
    .toWellFormed()
    .replace(/[^\x20-\x24\x26-\x7e]+/g, (part) =>
      Array.from(Buffer.from(part), (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(
        '',
      ),
    );
}
