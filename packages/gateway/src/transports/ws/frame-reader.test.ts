import { createRequire } from 'node:module';
import type { Writable } from 'node:stream';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { createFrameReader } from './frame-reader.js';

/** The library's frame parser. */
type Receiver = Writable & { readonly isReceiver?: true };
const { Receiver } = createRequire(import.meta.url)('ws') as {
  readonly Receiver: new (options: { isServer: boolean; maxPayload: number }) => Receiver;
};

/** The maximum message size here, in bytes, so that frames of either form can be too large. */
const MAX_PAYLOAD = 1_000;

interface FrameParts {
  readonly fin: boolean;
  readonly reserved: number;
  readonly opcode: number;
  readonly isMasked: boolean;
  readonly lengthIn: 'fewest' | 2 | 8;
  readonly mask: Uint8Array;
  readonly payload: Uint8Array;
}

/** A frame from a peer, valid or not. */
function encode({ fin, reserved, opcode, isMasked, lengthIn, mask, payload }: FrameParts): Buffer {
  const { length } = payload;
  const width = lengthIn === 'fewest' ? (length < 126 ? 0 : 2) : lengthIn;
  const header = Buffer.alloc(2 + width + (isMasked ? 4 : 0));
  header[0] = (fin ? 0x80 : 0) | (reserved << 4) | opcode;
  header[1] = (isMasked ? 0x80 : 0) | (width === 0 ? length : width === 2 ? 126 : 127);
  if (width === 2) header.writeUInt16BE(length, 2);
  if (width === 8) header.writeBigUInt64BE(BigInt(length), 2);
  if (!isMasked) return Buffer.concat([header, payload]);
  header.set(mask, 2 + width);
  return Buffer.concat([header, payload.map((byte, index) => byte ^ (mask[index & 3] ?? 0))]);
}

/** What the library reports for these pieces, as lines. */
function createListener() {
  const said: string[] = [];
  const receiver = new Receiver({ isServer: true, maxPayload: MAX_PAYLOAD });
  receiver.on('message', (data: Buffer, isBinary: boolean) =>
    said.push(isBinary ? `binary ${data.toString('hex')}` : `text ${data.toString()}`),
  );
  for (const kind of ['ping', 'pong'])
    receiver.on(kind, (data: Buffer) => said.push(`${kind} ${data.toString()}`));
  receiver.on('conclude', (code: number, reason: Buffer) => said.push(`close ${code} ${reason.toString()}`));
  receiver.on('error', (error: NodeJS.ErrnoException) => said.push(`error ${error.code}`));
  return { said, receiver, settled: () => new Promise((resolve) => setImmediate(resolve)) };
}

async function readByLibrary(pieces: readonly Buffer[]): Promise<readonly string[]> {
  const { said, receiver, settled } = createListener();
  for (const piece of pieces) receiver.write(piece);
  await settled();
  return said;
}

async function readAhead(pieces: readonly Buffer[]): Promise<{ said: readonly string[]; texts: number }> {
  const { said, receiver, settled } = createListener();
  let isHandedOver = false;
  let texts = 0;
  const write = (bytes: Buffer): void => void receiver.write(bytes);
  const reader = createFrameReader({
    maxPayload: MAX_PAYLOAD,
    onText(text) {
      texts++;
      said.push(`text ${text.text()}`);
    },
    pass: write,
    handOver(bytes) {
      isHandedOver = true;
      write(bytes);
    },
  });
  // Copies: bytes are unmasked in place.
  for (const piece of pieces) {
    if (isHandedOver) write(Buffer.from(piece));
    else reader.read(Buffer.from(piece));
  }
  reader.release();
  await settled();
  return { said, texts };
}

/** Cuts bytes into pieces at these positions. */
function cut(bytes: Buffer, places: readonly number[]): readonly Buffer[] {
  const ends = [...new Set(places.map((place) => place % (bytes.length + 1)))].toSorted((a, b) => a - b);
  return [0, ...ends]
    .map((start, index) => bytes.subarray(start, ends[index] ?? bytes.length))
    .filter(({ length }) => length > 0);
}

const utf8 = fc.string({ unit: 'binary', maxLength: 60 }).map((text) => Buffer.from(text.toWellFormed()));
const payload = fc.oneof(
  { weight: 6, arbitrary: utf8 },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 20 }) },
  { weight: 1, arbitrary: fc.constantFrom(Buffer.from('\uFFFD'), Buffer.from('é'.repeat(63))) },
  { weight: 1, arbitrary: fc.integer({ min: 120, max: 1_100 }).map((length) => Buffer.alloc(length, 'a')) },
);
const usual = { fin: true, reserved: 0, opcode: 1, isMasked: true, lengthIn: 'fewest' } as const;
const mask = fc.uint8Array({ minLength: 4, maxLength: 4 });
const frame = fc.oneof(
  { weight: 12, arbitrary: fc.record({ mask, payload }).map((parts) => encode({ ...usual, ...parts })) },
  {
    weight: 2,
    arbitrary: fc
      .record({ mask, payload: utf8, opcode: fc.constantFrom(9, 10) })
      .map((parts) => encode({ ...usual, ...parts, payload: parts.payload.subarray(0, 125) })),
  },
  {
    weight: 1,
    arbitrary: fc
      .record({
        mask,
        payload,
        fin: fc.boolean(),
        reserved: fc.constantFrom(0, 0, 0, 1, 2, 4),
        opcode: fc.nat(15),
        isMasked: fc.boolean(),
        lengthIn: fc.constantFrom('fewest' as const, 2 as const, 8 as const),
      })
      .map(encode),
  },
);

it('O-5: valid and invalid frames, cut anywhere, give the same messages and errors as in the library', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(frame, { maxLength: 12 }),
      fc.array(fc.nat(), { maxLength: 12 }),
      async (frames, places) => {
        const pieces = cut(Buffer.concat(frames), places);
        expect((await readAhead(pieces)).said).toEqual(await readByLibrary(pieces));
      },
    ),
    { numRuns: 300 },
  );
});

it('O-5: byte by byte, any input gives the same as in the library', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(frame, fc.uint8Array({ maxLength: 8 })), { maxLength: 4 }),
      async (parts) => {
        const pieces = Array.from(Buffer.concat(parts), (byte) => Buffer.from([byte]));
        expect((await readAhead(pieces)).said).toEqual(await readByLibrary(pieces));
      },
    ),
    { numRuns: 60 },
  );
});

const text = (content: string): Buffer =>
  encode({ ...usual, mask: Buffer.from([1, 2, 3, 4]), payload: Buffer.from(content) });

it('I-8: single-frame texts are read without the library, also after a ping and in two pieces', async () => {
  const ping = encode({ ...usual, opcode: 9, mask: Buffer.from([5, 6, 7, 8]), payload: Buffer.from('?') });
  const bytes = Buffer.concat([text('one'), ping, text('é'.repeat(200)), text('')]);
  const { said, texts } = await readAhead([bytes.subarray(0, 100), bytes.subarray(100)]);
  expect(said).toEqual(['text one', 'ping ?', `text ${'é'.repeat(200)}`, 'text ']);
  expect(texts).toBe(3);
});

it('I-7: a frame in very many pieces is left to the library, which has a limit for that', async () => {
  const pieces = Array.from(text('a'.repeat(100)), (byte) => Buffer.from([byte]));
  const { said, texts } = await readAhead(pieces);
  expect(said).toEqual([`text ${'a'.repeat(100)}`]);
  expect(texts).toBe(0);
});
