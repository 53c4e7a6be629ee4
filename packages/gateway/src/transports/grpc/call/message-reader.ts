import { gunzipSync, inflateSync } from 'node:zlib';
import type { GrpcStatus } from '../status.js';
import type { DecompressionAllowance } from './allowance.js';
import type { Budget } from './budget.js';

/** The message prefix: a compression flag and the length. */
export const PREFIX = 5;

/** Accepted compressions; answers are never compressed, since that costs more than it saves here. */
export const ENCODINGS = ['identity', 'gzip', 'deflate'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** A framing error that ends a call. */
export interface FramingFault {
  readonly status: GrpcStatus;
  readonly message: string;
}

/** Where the messages go. */
export interface MessageTaker {
  take(message: Buffer): void;
}

/** Extracts the messages of one call from its bytes. */
export interface MessageReader {
  /** Delivers each complete message; the bytes are only valid during the call. */
  push(chunk: Buffer, receiver: MessageTaker): FramingFault | undefined;
  /** True if there is no incomplete message. */
  isEmpty(): boolean;
  /** Releases buffered data. */
  release(): void;
}

export interface MessageReaderOptions {
  /** Maximum size of one message, uncompressed. */
  readonly maxBytes: number;
  readonly encoding: Encoding;
  /** The buffer of an incomplete message is reserved from here. */
  readonly budget: Budget;
  /** Decompressed bytes are taken from this budget: decompression blocks everyone. */
  readonly unpacking: DecompressionAllowance;
  /** Whether there must be one message; a second one is a fault before it is examined. */
  readonly single: boolean;
}

/** The buffer of most calls: their message arrives in one piece. */
const NOTHING = Buffer.alloc(0);

export function createMessageReader(options: MessageReaderOptions): MessageReader {
  return new FramedReader(options);
}

/**
 * Memory follows what has arrived, never what a prefix announces: a message is in a buffer that at most
 * doubles, and one that is too long is refused by its prefix (I-7).
 */
class FramedReader implements MessageReader {
  readonly #options: MessageReaderOptions;
  #held = NOTHING;
  #length = 0;
  #count = 0;

  constructor(options: MessageReaderOptions) {
    this.#options = options;
  }

  push(chunk: Buffer, receiver: MessageTaker): FramingFault | undefined {
    const { maxBytes, single } = this.#options;
    const isHolding = this.#length > 0;
    if (single && this.#count > 0) return tooMany();
    if (isHolding && !this.#hold(chunk)) return overBudget();
    const bytes = isHolding ? this.#held.subarray(0, this.#length) : chunk;
    let start = 0;
    while (bytes.length - start >= PREFIX) {
      const size = bytes.readUInt32BE(start + 1);
      if (size > maxBytes) return tooLarge(maxBytes, size);
      if (bytes.length - start < PREFIX + size) break;
      if (single && bytes.length - start > PREFIX + size) return tooMany();
      const message = this.#open(
        bytes[start] as number,
        bytes.subarray(start + PREFIX, start + PREFIX + size),
      );
      if (!Buffer.isBuffer(message)) return message;
      start += PREFIX + size;
      this.#count++;
      receiver.take(message);
    }
    if (!isHolding)
      return start < chunk.length && !this.#hold(chunk.subarray(start)) ? overBudget() : undefined;
    if (start === this.#length) this.release();
    else if (start > 0) {
      this.#held.copyWithin(0, start, this.#length);
      this.#length -= start;
    }
    return undefined;
  }

  isEmpty(): boolean {
    return this.#length === 0;
  }

  release(): void {
    if (this.#held === NOTHING) return;
    this.#options.budget.give(this.#held.length);
    this.#held = NOTHING;
    this.#length = 0;
  }

  #hold(chunk: Buffer): boolean {
    const { budget, maxBytes } = this.#options;
    const needed = this.#length + chunk.length;
    if (needed > this.#held.length) {
      const larger = Math.max(needed, Math.min(2 * this.#held.length, maxBytes + PREFIX));
      if (!budget.take(larger - this.#held.length)) return false;
      const next = Buffer.allocUnsafeSlow(larger);
      this.#held.copy(next, 0, 0, this.#length);
      this.#held = next;
    }
    chunk.copy(this.#held, this.#length);
    this.#length = needed;
    return true;
  }

  #open(flag: number, body: Buffer): Buffer | FramingFault {
    if (flag === 0) return body;
    const { encoding, unpacking, maxBytes } = this.#options;
    if (flag !== 1 || encoding === 'identity') {
      return fault('INTERNAL', 'The compressed flag of a message does not match its grpc-encoding.');
    }
    if (!unpacking.isLeft()) return overAllowance();
    try {
      const unpack = encoding === 'gzip' ? gunzipSync : inflateSync;
      const unpacked = unpack(body, { maxOutputLength: maxBytes });
      unpacking.use(unpacked.length);
      return unpacked;
    } catch (error) {
      unpacking.use(maxBytes);
      const tooLong = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
      return tooLong ? tooLarge(maxBytes) : fault('INTERNAL', `A message is not valid ${encoding}.`);
    }
  }
}

function fault(status: GrpcStatus, message: string): FramingFault {
  return { status, message };
}

function tooLarge(maxBytes: number, size?: number): FramingFault {
  const found = size === undefined ? 'A message is' : `A message has ${size} bytes, which is`;
  return fault(
    'RESOURCE_EXHAUSTED',
    `PAYLOAD_TOO_LARGE: ${found} more than the ${maxBytes} bytes that are allowed. Send less in one message.`,
  );
}

function tooMany(): FramingFault {
  return fault('INTERNAL', 'The call has more than one request message.');
}

function overAllowance(): FramingFault {
  return fault(
    'RESOURCE_EXHAUSTED',
    'RATE_LIMITED: Too much compressed data on one connection. Wait a moment, or send it uncompressed.',
  );
}

function overBudget(): FramingFault {
  return fault(
    'RESOURCE_EXHAUSTED',
    'RATE_LIMITED: Too many incomplete messages on one connection. Send them one after another.',
  );
}
