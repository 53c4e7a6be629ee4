import type { ServerHttp2Stream } from 'node:http2';
import { type Refusal } from '@proffer/core';
import type { JsonObject } from '@proffer/core/json';
import { macpRefusal } from '@proffer/core/negotiation';
import { ANSWERED, CUT, type GrpcStatus, grpcStatus } from '../status.js';
import { OK, type Trailers, trailersOf } from '../trailers.js';
import type { Budget } from './budget.js';
import { PREFIX } from './message-reader.js';
import type { UnreadBytes } from './unread.js';

/** One RPC, as its handler sees it. */
export interface GrpcCall {
  readonly path: string;
  /** From `authorization: Bearer …`. */
  readonly token: string | undefined;
  /** What the calls of one connection buffer together. */
  readonly budget: Budget;
  /** Unread bytes of all streams of its token on this connection. */
  readonly unread: UnreadBytes;
  /** True once it was answered or is gone; then writes have no effect. */
  isOver(): boolean;
  /** Starts reading. */
  receive(input: Input): void;
  /** Pauses and resumes reading messages; those that arrived together with one that was read are still delivered. */
  pause(): void;
  resume(): void;
  /** Sends the response headers, before there is a message. */
  begin(): void;
  /** Sends one message, framed; those of one turn of the event loop leave together. Never waits. */
  write(frame: Buffer): void;
  /**
   * Sends the only message of the answer, framed, and ends the call successfully, with these trailers. Ends
   * it with an error if its peer has too many unread answers: a client that asks and does not read makes us
   * buffer the answers (I-7).
   */
  reply(frame: Buffer, trailers?: Trailers): void;
  /** Bytes that the peer has not read yet. */
  buffered(): number;
  /** Resolves when the peer has read most of them, or is gone. */
  drained(): Promise<void>;
  /** Ends the call; only the first time counts. */
  finish(status: GrpcStatus, message?: string, code?: string, details?: JsonObject): void;
  /** Ends it with a refusal: its status, code and message. */
  refuse(refusal: Refusal): void;
  /** Ends it with an internal error. */
  fail(error: unknown): void;
  /** Ends it, and soon cuts off a peer that does not read that. */
  dismiss(status: GrpcStatus, message: string, code?: string): void;
  /** Called once it has ended, by either side. */
  onOver(then: () => void): void;
}

/** Consumes the bytes of a call. */
export interface Input {
  push(chunk: Buffer): void;
  /** The peer has half-closed. */
  end(): void;
  /** The call has ended. */
  over(): void;
}

/** Below this many unread bytes a slow reader of history gets more. */
export const LOW_WATER = 65_536;

/** How long a peer has to read the end of a stream before it is cut, in milliseconds. */
const CLOSING = 2_000;

const HEADERS = { ':status': 200, 'content-type': 'application/grpc' } as const;

/** gRPC has no use for a date, and every answer would pay for one. */
const WITH_TRAILERS = { sendDate: false, waitForTrailers: true } as const;
const AT_ONCE = { sendDate: false, endStream: true } as const;

interface CallOptions {
  readonly stream: ServerHttp2Stream;
  readonly path: string;
  readonly token: string | undefined;
  readonly budget: Budget;
  readonly unread: UnreadBytes;
  readonly onFault: (error: unknown, path: string) => void;
}

/** The property of a stream that holds its call. */
const CALL = Symbol('call');

type Carrying = ServerHttp2Stream & { [CALL]?: StreamCall | undefined };

export function createCall(options: CallOptions): GrpcCall {
  return new StreamCall(options);
}

/**
 * A call on its stream. There is one per message, so it is cheap: all streams share their listeners. A stream drops its
 * call once it has ended, because it may stay in memory until the next full garbage collection.
 */
class StreamCall implements GrpcCall {
  readonly path: string;
  readonly token: string | undefined;
  readonly budget: Budget;
  readonly unread: UnreadBytes;
  input: Input | undefined;
  trailers: Trailers = OK;
  readonly #stream: Carrying;
  readonly #onFault: CallOptions['onFault'];
  #isFinished = false;
  #waiting: Buffer[] | undefined;
  #waitingBytes = 0;
  /** Bytes of the answer that are reserved from the budget. */
  #held = 0;
  /** Bytes of a stream that count as unread. */
  #untaken = 0;
  #resetWith: number = ANSWERED;
  #onOver: (() => void)[] | undefined;

  constructor({ stream, path, token, budget, unread, onFault }: CallOptions) {
    this.path = path;
    this.token = token;
    this.budget = budget;
    this.unread = unread;
    this.#stream = stream;
    this.#onFault = onFault;
    this.#stream[CALL] = this;
    // One listener for everyone interested: a stream pays for each.
    stream.on('close', onClose);
  }

  isOver(): boolean {
    const stream = this.#stream;
    return this.#isFinished || stream.closed || stream.destroyed;
  }

  receive(input: Input): void {
    const stream = this.#stream;
    this.input = input;
    stream.on('data', onData);
    stream.on('end', onEnd);
    if (stream.isPaused()) stream.resume();
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
    stream.on('wantTrailers', onWantTrailers);
  }

  write(frame: Buffer): void {
    if (this.isOver()) return;
    this.begin();
    this.#waitingBytes += frame.length;
    this.#untaken += frame.length;
    this.unread.wrote(frame.length);
    if (this.#waiting !== undefined) {
      this.#waiting.push(frame);
      return;
    }
    this.#waiting = [frame];
    process.nextTick(() => this.#flush());
  }

  reply(frame: Buffer, trailers = OK): void {
    if (this.isOver()) return;
    if (!this.budget.take(frame.length)) {
      this.finish('RESOURCE_EXHAUSTED', 'RATE_LIMITED: Too many answers on this connection are unread.');
      return;
    }
    this.#held = frame.length;
    this.trailers = trailers;
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

  finish(status: GrpcStatus, message = '', code = '', details: JsonObject = {}): void {
    if (this.isOver()) return;
    const stream = this.#stream;
    this.trailers = trailersOf(status, message, code, details);
    this.#isFinished = true;
    this.#stopReading();
    if (stream.headersSent) stream.end(this.#takeWaiting());
    else stream.respond({ ...HEADERS, ...this.trailers }, AT_ONCE);
  }

  refuse(refusal: Refusal): void {
    const { code, message, details } = macpRefusal(refusal);
    this.finish(grpcStatus(code), `${code}: ${message}`, code, details);
  }

  fail(error: unknown): void {
    this.#onFault(error, this.path);
    this.finish('INTERNAL', 'INTERNAL_ERROR: Internal error. If it persists, tell the operator.');
  }

  dismiss(status: GrpcStatus, message: string, code?: string): void {
    if (this.isOver()) return;
    this.#resetWith = CUT; // Unread data would stay.
    this.finish(status, message, code);
    this.#resetLater();
  }

  onOver(then: () => void): void {
    if (this.#stream.destroyed) return then();
    if (this.#onOver === undefined) this.#onOver = [then];
    else this.#onOver.push(then);
  }

  /** The stream of the call is closed. */
  over(): void {
    this.budget.give(this.#held);
    if (this.#untaken > 0) this.#taken(this.#untaken);
    this.input?.over();
    for (const one of this.#onOver ?? []) one();
  }

  #stopReading(): void {
    if (this.#stream.readableEnded) return;
    // Further input is useless, but the connection must not wait for it.
    this.#stream.resume();
    this.#resetLater();
  }

  /** Resets a stream that its peer keeps open after the call. Doing it at once would overtake the answer. */
  #resetLater(): void {
    const stream = this.#stream;
    const timer = setTimeout(() => stream.close(this.#resetWith), CLOSING).unref();
    stream.once('close', () => clearTimeout(timer));
  }

  /** Pending output, as one chunk. */
  #takeWaiting(): Buffer | undefined {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    this.#waitingBytes = 0;
    return waiting === undefined || waiting.length === 1 ? waiting?.[0] : Buffer.concat(waiting);
  }

  #flush(): void {
    const bytes = this.#takeWaiting();
    const stream = this.#stream;
    if (bytes === undefined || stream.closed || stream.destroyed) return;
    stream.write(bytes, () => this.#taken(Math.min(bytes.length, this.#untaken)));
  }

  #taken(bytes: number): void {
    this.#untaken -= bytes;
    this.unread.taken(bytes);
  }
}

function onClose(this: Carrying): void {
  const call = this[CALL];
  this[CALL] = undefined;
  call?.over();
}

function onData(this: Carrying, chunk: Buffer): void {
  this[CALL]?.input?.push(chunk);
}

function onEnd(this: Carrying): void {
  this[CALL]?.input?.end();
}

function onWantTrailers(this: Carrying): void {
  this.sendTrailers(this[CALL]?.trailers ?? OK);
}

/** Fills in the prefix of a message that was serialised with room for it. */
export function frame(message: Buffer): Buffer {
  message[0] = 0;
  message.writeUInt32BE(message.length - PREFIX, 1);
  return message;
}
