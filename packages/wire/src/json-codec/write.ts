import type { FieldPlan, MessagePlan } from './plan.js';

/** Longer texts are copied once more than shorter ones; most are short. */
let scratch = Buffer.allocUnsafeSlow(65_536);
let position = 0;

/**
 * Writes a message from its JSON twin. Fields with their default value are left out. The twin is our
 * own, not a peer's: fields the type does not have are not written.
 *
 * @param room - bytes left free in front of the message, for framing
 */
export function writeTwin(plan: MessagePlan, twin: object, room = 0): Buffer {
  position = room;
  writeFields(plan, twin as Readonly<Record<string, unknown>>);
  const message = Buffer.allocUnsafe(position);
  scratch.copy(message, 0, 0, position);
  // One large message must not keep its buffer for ever.
  if (scratch.length > 4_194_304) scratch = Buffer.allocUnsafeSlow(65_536);
  return message;
}

function writeFields({ fields }: MessagePlan, twin: Readonly<Record<string, unknown>>): void {
  for (const field of fields) {
    const value = twin[field.name];
    if (value === undefined) continue;
    if (field.shape === 'one') {
      if (!isUnset(field, value)) writeField(field, value);
    } else if (field.shape === 'list') {
      for (const element of value as readonly unknown[]) writeField(field, element);
    } else {
      for (const [key, entry] of Object.entries(value as object)) writeEntry(field, key, entry);
    }
  }
}

function isUnset({ kind, words, isMember }: FieldPlan, value: unknown): boolean {
  if (isMember) return false;
  if (kind === 'raw') return (value as Uint8Array).length === 0;
  if (kind === 'enum') return (words.numbers.get(value as string) ?? value) === 0;
  // Only 0 is the default, not -0.
  if (kind === 'double') return Object.is(value, 0);
  if (kind === 'json') return Object.keys(value as object).length === 0;
  return value === '' || value === 0 || value === false;
}

function writeField(field: FieldPlan, value: unknown): void {
  reserve(10);
  varint(field.number * 8 + field.wireType);
  writeValue(field, value);
}

function writeEntry(field: FieldPlan, key: string, value: unknown): void {
  reserve(10);
  varint(field.number * 8 + field.wireType);
  const start = begin();
  reserve(1);
  scratch[position++] = 0x0a;
  text(key);
  reserve(1);
  scratch[position++] = 0x12;
  writeValue(field, value);
  finish(start);
}

function writeValue(field: FieldPlan, value: unknown): void {
  switch (field.kind) {
    case 'string':
      return text(value as string);
    case 'bytes':
      return raw(Buffer.from(value as string, 'base64'));
    case 'raw':
      return raw(value as Uint8Array);
    case 'json':
      return raw(Buffer.from(JSON.stringify(value)));
    case 'double':
      reserve(8);
      scratch.writeDoubleLE(value as number, position);
      position += 8;
      return;
    case 'enum':
      reserve(10);
      return varint(field.words.numbers.get(value as string) ?? (typeof value === 'number' ? value : 0));
    case 'message': {
      const start = begin();
      writeFields(field.message(), value as Readonly<Record<string, unknown>>);
      return finish(start);
    }
    default:
      reserve(10);
      return varint(Number(value));
  }
}

/** Makes room for this many more bytes. */
function reserve(bytes: number): void {
  if (position + bytes <= scratch.length) return;
  const larger = Buffer.allocUnsafeSlow(Math.max(scratch.length * 2, position + bytes));
  scratch.copy(larger, 0, 0, position);
  scratch = larger;
}

function varint(number: number): void {
  let rest = number;
  if (rest < 0) return negative(rest);
  while (rest > 0x7fffffff) {
    scratch[position++] = (rest % 128) | 0x80;
    rest = Math.floor(rest / 128);
  }
  while (rest > 0x7f) {
    scratch[position++] = (rest & 0x7f) | 0x80;
    rest >>>= 7;
  }
  scratch[position++] = rest;
}

/** Ten bytes, like every negative number. */
function negative(number: number): void {
  let rest = BigInt.asUintN(64, BigInt(number));
  while (rest > 0x7fn) {
    scratch[position++] = Number(rest & 0x7fn) | 0x80;
    rest >>= 7n;
  }
  scratch[position++] = Number(rest);
}

function text(value: string): void {
  const { length } = value;
  reserve(10 + 3 * length);
  if (length < 43) {
    // At most 127 bytes whatever the characters, so the length takes one byte.
    const written = scratch.write(value, position + 1);
    scratch[position] = written;
    position += written + 1;
    return;
  }
  varint(Buffer.byteLength(value));
  position += scratch.write(value, position);
}

function raw(bytes: Uint8Array): void {
  reserve(10 + bytes.length);
  varint(bytes.length);
  scratch.set(bytes, position);
  position += bytes.length;
}

/** Starts a length-prefixed value, whose length is known only afterwards: {@link finish} writes it. */
function begin(): number {
  reserve(10);
  return position++;
}

/** @param start - what {@link begin} returned */
function finish(start: number): void {
  const length = position - start - 1;
  if (length < 128) {
    scratch[start] = length;
    return;
  }
  let prefix = 2;
  for (let rest = length >>> 14; rest > 0; rest >>>= 7) prefix++;
  reserve(prefix);
  scratch.copyWithin(start + prefix, start + 1, position);
  position = start;
  varint(length);
  position += length;
}
