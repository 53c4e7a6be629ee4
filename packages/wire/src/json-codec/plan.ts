import type { DescEnum, DescField, DescMessage } from '@bufbuild/protobuf';
import { ScalarType } from '@bufbuild/protobuf';
import type { JsonObject } from '@proffer/core/json';

/** How a single value is written. */
type Kind =
  | 'string'
  | 'bytes'
  | 'raw'
  | 'json'
  | 'bool'
  | 'int64'
  | 'uint64'
  | 'uint32'
  | 'int32'
  | 'double'
  | 'enum'
  | 'message';

/** One field of a message, with everything needed to read and write it. */
export interface FieldPlan {
  readonly number: number;
  /** As in the .proto file. */
  readonly name: string;
  readonly shape: 'one' | 'list' | 'map';
  /** Of the value, of each list element, or of the map's values. */
  readonly kind: Kind;
  readonly wireType: WireType;
  /** A member of a oneof: its presence matters even if it has its default value. */
  readonly isMember: boolean;
  /** For kind `message`. */
  readonly message: () => MessagePlan;
  /** For kind `enum`. */
  readonly words: EnumPlan;
  /** For kind `string`: the text last read there, if it was short. */
  last: string;
}

/** The longest text that is cached, in UTF-16 units. */
export const MAX_KEPT = 64;

/** Maps an enum's values to names without their shared prefix, and back. */
export interface EnumPlan {
  readonly names: ReadonlyMap<number, string>;
  readonly numbers: ReadonlyMap<string, number>;
}

/** A message type, prepared for reading and writing. */
export interface MessagePlan {
  /** By field number; most numbers are small. */
  readonly byNumber: readonly (FieldPlan | undefined)[];
  readonly fields: readonly FieldPlan[];
  /** The fields of a message in which nothing is set; shared, so never written to. */
  readonly unset: JsonObject;
}

export const VARINT = 0;
export const FIXED64 = 1;
export const DELIMITED = 2;
export const GROUP_START = 3;
export const GROUP_END = 4;
export const FIXED32 = 5;
export type WireType = typeof VARINT | typeof FIXED64 | typeof DELIMITED;

/** The empty list in a message in which nothing is set; recognised by identity. */
export const NO_ELEMENTS: readonly never[] = Object.freeze([]);
/** The value of an empty map. */
export const NO_ENTRIES: JsonObject = Object.freeze({});

/** Bytes fields with known content: payloads, which are decoded separately later, and JSON text. */
const INSIDE: ReadonlyMap<string, Kind> = new Map([
  ['macp.v1.Envelope.payload', 'raw'],
  ['macp.v1.MACPError.details', 'json'],
]);

const plans = new WeakMap<DescMessage, MessagePlan>();

/** The plan of a message type; built once. */
export function planOf(schema: DescMessage): MessagePlan {
  const known = plans.get(schema);
  if (known !== undefined) return known;
  const fields = schema.fields.map(planField);
  const byNumber: (FieldPlan | undefined)[] = [];
  const unset: Record<string, ReturnType<typeof unsetValue>> = {};
  for (const field of fields) {
    byNumber[field.number] = field;
    const value = unsetValue(field);
    if (value !== undefined) unset[field.name] = value;
  }
  const plan = { byNumber, fields, unset: unset as JsonObject };
  plans.set(schema, plan);
  return plan;
}

function planField(field: DescField): FieldPlan {
  const { number, name } = field;
  const kind = INSIDE.get(`${field.parent.typeName}.${name}`) ?? kindOf(field);
  const shape = field.fieldKind === 'list' || field.fieldKind === 'map' ? field.fieldKind : 'one';
  const single = kind === 'double' ? FIXED64 : isVarint(kind) ? VARINT : DELIMITED;
  if (shape === 'list' && single !== DELIMITED) throw new Error(`${field.toString()}: no packed lists yet`);
  return {
    number,
    name,
    shape,
    kind,
    wireType: shape === 'one' ? single : DELIMITED,
    isMember: field.oneof !== undefined,
    message: () => {
      if (field.message === undefined) throw new Error(`${field.toString()} is no message`);
      return planOf(field.message);
    },
    words: field.enum === undefined ? NO_WORDS : planEnum(field.enum),
    last: '',
  };
}

const NO_WORDS: EnumPlan = { names: new Map(), numbers: new Map() };

function planEnum({ values, sharedPrefix = '' }: DescEnum): EnumPlan {
  const pairs = values.map(({ name, number }) => [name.slice(sharedPrefix.length), number] as const);
  return { names: new Map(pairs.map(([name, number]) => [number, name])), numbers: new Map(pairs) };
}

const SCALARS: Partial<Record<ScalarType, Kind>> = {
  [ScalarType.STRING]: 'string',
  [ScalarType.BYTES]: 'bytes',
  [ScalarType.BOOL]: 'bool',
  [ScalarType.INT64]: 'int64',
  [ScalarType.UINT64]: 'uint64',
  [ScalarType.UINT32]: 'uint32',
  [ScalarType.INT32]: 'int32',
  [ScalarType.DOUBLE]: 'double',
};

function kindOf(field: DescField): Kind {
  if (field.message !== undefined) return 'message';
  if (field.enum !== undefined) return 'enum';
  const kind = field.scalar === undefined ? undefined : SCALARS[field.scalar];
  if (kind === undefined) throw new Error(`${field.toString()}: its type is not known here yet`);
  return kind;
}

const VARINTS: ReadonlySet<Kind> = new Set(['bool', 'int64', 'uint64', 'uint32', 'int32', 'enum']);

function isVarint(kind: Kind): boolean {
  return VARINTS.has(kind);
}

function unsetValue({ shape, kind, words, isMember }: FieldPlan) {
  if (isMember) return undefined;
  if (shape === 'list') return NO_ELEMENTS;
  if (shape === 'map') return NO_ENTRIES;
  switch (kind) {
    case 'string':
    case 'bytes':
      return '';
    case 'raw':
      return EMPTY;
    case 'json':
      return NO_ENTRIES;
    case 'bool':
      return false;
    case 'enum':
      return words.names.get(0) ?? 0;
    case 'message':
      return undefined;
    default:
      return 0;
  }
}

const EMPTY = Buffer.alloc(0);
