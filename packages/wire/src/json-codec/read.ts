import { formatPath, isJsonObject, type JsonObject, type JsonValue, parseJson } from '@proffer/core/json';
import { ByteCursor, Malformed } from './byte-cursor.js';
import { type FieldPlan, MAX_KEPT, type MessagePlan, NO_ELEMENTS, NO_ENTRIES } from './plan.js';

/** What is wrong with a message: where, what was found, and what was expected. */
export interface WireProblem {
  /** Empty for the message as a whole. */
  readonly field: string;
  readonly found: string;
  readonly expected: string;
}

/** A message under construction: values by field name. */
type Draft = Record<string, unknown>;

/**
 * Reads a message into its JSON twin: names as in the .proto file, 64-bit numbers as numbers, bytes
 * in base64, enums by name without their prefix. Unset fields have their default; an unset message is
 * left out. Unknown fields are ignored, and an unknown enum value is given as its number.
 */
export function readTwin(
  plan: MessagePlan,
  bytes: Uint8Array,
):
  | { readonly value: Draft; readonly problem?: never }
  | { readonly value?: never; readonly problem: WireProblem } {
  // Only a failed read leaves something here.
  if (path.length > 0) path.length = 0;
  const cursor = new ByteCursor(asBuffer(bytes));
  try {
    return { value: readInto({ ...plan.unset }, plan, cursor) };
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    const { found, expected } = error;
    return { problem: { field: formatPath(path), found, expected } };
  }
}

/** The same bytes, with the methods of a Buffer. */
function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** The read position, one message at a time; left as it is after an error. */
const path: (string | number)[] = [];

function readInto(draft: Draft, plan: MessagePlan, cursor: ByteCursor): Draft {
  while (cursor.position < cursor.end) {
    const tag = cursor.tag();
    const field = plan.byNumber[tag >>> 3];
    if (field === undefined) {
      cursor.skip(tag & 7);
      continue;
    }
    path.push(field.name);
    if ((tag & 7) !== field.wireType) {
      throw new Malformed(`wire type ${tag & 7}`, `wire type ${field.wireType}, for ${described(field)}`);
    }
    if (field.shape === 'one') draft[field.name] = readValue(field, cursor, draft[field.name]);
    else if (field.shape === 'list') append(draft, field, cursor);
    else enter(draft, field, cursor);
    path.pop();
  }
  return draft;
}

function described({ kind, shape }: FieldPlan): string {
  return shape === 'one' ? kind : `a ${shape} of ${kind}`;
}

function append(draft: Draft, field: FieldPlan, cursor: ByteCursor): void {
  const before = draft[field.name];
  const list = before === NO_ELEMENTS ? [] : (before as unknown[]);
  draft[field.name] = list;
  path.push(list.length);
  list.push(readValue(field, cursor, undefined));
  path.pop();
}

/** One map entry: a message with the key as field 1 and the value as field 2. */
function enter(draft: Draft, field: FieldPlan, cursor: ByteCursor): void {
  const before = draft[field.name];
  const entries = before === NO_ENTRIES ? {} : (before as Draft);
  draft[field.name] = entries;
  const end = cursor.enter();
  let key = '';
  let value: unknown = '';
  while (cursor.position < cursor.end) {
    const tag = cursor.tag();
    const isKnown = (tag & 7) === field.wireType;
    if (isKnown && tag >>> 3 === 1) key = cursor.string();
    else if (isKnown && tag >>> 3 === 2) value = readValue(field, cursor, undefined);
    else cursor.skip(tag & 7);
  }
  // `__proto__` as an object key would mean something else.
  if (key === '__proto__') throw new Malformed(`the key ${key}`, 'another key');
  entries[key] = value;
  cursor.leave(end);
}

function readValue(field: FieldPlan, cursor: ByteCursor, before: unknown): JsonValue | Buffer | Draft {
  switch (field.kind) {
    case 'string':
      return readText(field, cursor);
    case 'bytes':
      return cursor.raw().toString('base64');
    case 'raw':
      return cursor.raw();
    case 'json':
      return readJson(cursor.raw());
    case 'bool':
      return cursor.uint32() !== 0;
    case 'int64':
      return cursor.int64(true);
    case 'uint64':
      return cursor.int64(false);
    case 'uint32':
      return cursor.uint32();
    case 'int32':
      return cursor.uint32() | 0;
    case 'double':
      return cursor.double();
    case 'enum': {
      const number = cursor.uint32() | 0;
      return field.words.names.get(number) ?? number;
    }
    case 'message': {
      const plan = field.message();
      // A message that occurs twice is merged.
      const draft = (before as Draft | undefined) ?? { ...plan.unset };
      const end = cursor.enter();
      readInto(draft, plan, cursor);
      cursor.leave(end);
      return draft;
    }
  }
}

function readText(field: FieldPlan, cursor: ByteCursor): string {
  const text = cursor.string(field.last);
  if (text.length <= MAX_KEPT) field.last = text;
  return text;
}

/** Details from other servers need not be JSON; an error is not worth losing over that. */
function readJson(bytes: Buffer): JsonObject {
  if (bytes.length === 0) return NO_ENTRIES;
  const parsed = parseJson(bytes.toString());
  return parsed.ok && isJsonObject(parsed.value) ? parsed.value : { bytes: bytes.toString('base64') };
}
