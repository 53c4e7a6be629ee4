import type { ServerHttp2Stream } from 'node:http2';
import { macpRefusal, type Refusal } from '@proffer/core';
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
  isOver(): boolean;
  /** Stops and goes on with taking messages; what arrived with one that was taken still comes. */
  pause(): void;
  resume(): void;
  /** Says that the call was taken, before there is anything to say. */
  begin(): void;
  /** Sends one message, framed; those of one turn of the event loop leave together. Never waits. */
  write(frame: Buffer): void;
  /** Sends the one message of the answer, framed, and ends the call well. */
  reply(frame: Buffer): void;
  /** Bytes that the peer has not taken yet. */
  buffered(): number;
  /** Settles when the peer has taken most of them, or is gone. */
  drained(): Promise<void>;
  /** Ends the call; only the first time counts. */
  finish(status: Status, message?: string, code?: string): void;
  /** Ends it with a refusal: its status, its code and its sentence. */
  refuse(refusal: Refusal): void;
  /** Ends it because something went wrong that is ours to mend. */
  fail(error: unknown): void;
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
const WITH_TRAILERS = { sendDate: false, waitForTrailers: true } as const;
const AT_ONCE = { sendDate: false, endStream: true } as const;

type Trailers = Readonly<Record<string, string>>;

const OK: Trailers = { 'grpc-status': '0' };

export interface CallOptions {
  readonly stream: ServerHttp2Stream;
  readonly path: string;
  readonly token: string | undefined;
  readonly budget: Budget;
  readonly onFault: (error: unknown, path: string) => void;
}

export function createCall(options: CallOptions): Call {
  return new StreamCall(options);
}

/** A call on its stream. There is one for each message that is sent, so it makes no more than it needs. */
class StreamCall implements Call {
  readonly path: string;
  readonly token: string | undefined;
  readonly budget: Budget;
  readonly #stream: ServerHttp2Stream;
  readonly #onFault: CallOptions['onFault'];
  #isFinished = false;
  #trailers: Trailers = OK;
  #waiting: Buffer[] | undefined;
  #waitingBytes = 0;
  #onOver: (() => void)[] | undefined;

  constructor({ stream, path, token, budget, onFault }: CallOptions) {
    this.path = path;
    this.token = token;
    this.budget = budget;
    this.#stream = stream;
    this.#onFault = onFault;
  }

  isOver(): boolean {
    const stream = this.#stream;
    return this.#isFinished || stream.closed || stream.destroyed;
  }

  pause(): void {
    this.#stream.pause();
  }

  resume(): void {
    this.#stream.resume();
  }

  begin(): void {
    const stream = this.#stream;
    if (this.isOver() || stream.headersSent) return;
    stream.respond(HEADERS, WITH_TRAILERS);
    stream.on('wantTrailers', () => stream.sendTrailers(this.#trailers));
  }

  write(frame: Buffer): void {
    if (this.isOver()) return;
    this.begin();
    this.#waitingBytes += frame.length;
    if (this.#waiting !== undefined) {
      this.#waiting.push(frame);
      return;
    }
    this.#waiting = [frame];
    process.nextTick(() => this.#flush());
  }

  reply(frame: Buffer): void {
    if (this.isOver()) return;
    this.begin();
    this.#isFinished = true;
    this.#stopReading();
    this.#stream.end(frame);
  }

  buffered(): number {
    return this.#stream.writableLength + this.#waitingBytes;
  }

  drained(): Promise<void> {
    this.#flush();
    const stream = this.#stream;
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
  }

  finish(status: Status, message = '', code = ''): void {
    if (this.isOver()) return;
    const stream = this.#stream;
    this.#trailers = trailersOf(status, message, code);
    this.#isFinished = true;
    this.#stopReading();
    if (stream.headersSent) stream.end(this.#takeWaiting());
    else stream.respond({ ...HEADERS, ...this.#trailers }, AT_ONCE);
  }

  refuse(refusal: Refusal): void {
    const { code, message } = macpRefusal(refusal);
    this.finish(grpcStatus(code), `${code}: ${message}`, code);
  }

  fail(error: unknown): void {
    this.#onFault(error, this.path);
    this.finish('INTERNAL', 'INTERNAL_ERROR: Something went wrong in the gateway. Tell the operator.');
  }

  dismiss(status: Status, message: string): void {
    if (this.isOver()) return;
    this.finish(status, message);
    this.#resetLater(CUT);
  }

  onOver(then: () => void): void {
    if (this.#stream.destroyed) return then();
    if (this.#onOver !== undefined) {
      this.#onOver.push(then);
      return;
    }
    const all = [then];
    this.#onOver = all;
    // One listener for all of them: a stream pays for each.
    this.#stream.on('close', () => {
      for (const one of all) one();
    });
  }

  #stopReading(): void {
    if (this.#stream.readableEnded) return;
    // What still comes is of no use, but the connection must not wait for it.
    this.#stream.resume();
    this.#resetLater(ANSWERED);
  }

  /** Resets a stream that its peer keeps open although the call is over; at once, it would overtake the answer. */
  #resetLater(why: number): void {
    const stream = this.#stream;
    const timer = setTimeout(() => stream.close(why), CLOSING).unref();
    stream.once('close', () => clearTimeout(timer));
  }

  /** What waits to be written, in one piece. */
  #takeWaiting(): Buffer | undefined {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    this.#waitingBytes = 0;
    return waiting === undefined || waiting.length === 1 ? waiting?.[0] : Buffer.concat(waiting);
  }

  #flush(): void {
    const bytes = this.#takeWaiting();
    const stream = this.#stream;
    if (bytes !== undefined && !stream.closed && !stream.destroyed) stream.write(bytes);
  }
}

/** Puts the prefix in front of a message that was written with room for it. */
export function frame(message: Buffer): Buffer {
  message[0] = 0;
  message.writeUInt32BE(message.length - PREFIX, 1);
  return message;
}

function trailersOf(status: Status, message: string, code: string): Trailers {
  if (status === 'OK') return OK;
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
