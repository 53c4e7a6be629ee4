import { decode, encode, Tagged } from 'cborg';

/** A value of CBOR, as far as COSE headers have it. */
export type CborMap = ReadonlyMap<number, unknown>;

/** A signed message of COSE (RFC 9052): COSE_Sign1. Its signature is not checked. */
export interface CoseSign1 {
  readonly header: CborMap;
  readonly unprotected: CborMap;
  /** `undefined` if it is kept elsewhere. */
  readonly payload: Uint8Array | undefined;
  readonly signature: Uint8Array;
  /** What the signature covers, with this payload. */
  readonly over: (payload: Uint8Array) => Uint8Array;
}

const SIGN1 = 18;

/** COSE's number for EdDSA, and for the headers that are used here. */
export const EDDSA = -8;
export const COSE = {
  alg: 1,
  contentType: 3,
  kid: 4,
  claims: 15,
  receipts: 394,
  vds: 395,
  vdp: 396,
} as const;

/** Signs a payload; if it is detached, readers must know it from elsewhere. */
export function coseSign1(
  {
    header,
    unprotected,
    payload,
    isDetached = false,
  }: {
    readonly header: CborMap;
    readonly unprotected: CborMap;
    readonly payload: Uint8Array;
    readonly isDetached?: boolean;
  },
  sign: (bytes: Uint8Array) => Uint8Array,
): Uint8Array {
  const bare = encode(header);
  const signature = sign(signedBytes(bare, payload));
  return encode(new Tagged(SIGN1, [bare, unprotected, isDetached ? null : payload, signature]));
}

/** Reads a signed message; `undefined` if the bytes are none. */
export function readCoseSign1(bytes: Uint8Array): CoseSign1 | undefined {
  const tagged = readCbor(bytes);
  const parts = tagged instanceof Tagged ? (tagged.value as unknown) : undefined;
  if (!Array.isArray(parts) || parts.length !== 4) return undefined;
  const [bare, unprotected, payload, signature] = parts as readonly unknown[];
  if (!(bare instanceof Uint8Array) || !(signature instanceof Uint8Array)) return undefined;
  const header = mapOf(readCbor(bare));
  if (payload !== null && !(payload instanceof Uint8Array)) return undefined;
  return {
    header,
    unprotected: mapOf(unprotected),
    payload: payload ?? undefined,
    signature,
    over: (known) => signedBytes(bare, known),
  };
}

/** Reads CBOR in its shortest form; `undefined` if the bytes are not. */
export function readCbor(bytes: Uint8Array): unknown {
  try {
    return decode(bytes, READING) as unknown;
  } catch {
    return undefined;
  }
}

const READING = {
  useMaps: true,
  strict: true,
  allowIndefinite: false,
  rejectDuplicateMapKeys: true,
  tags: Tagged.preserve(SIGN1),
};

/** A map with numbers as keys; empty if the value is none. */
export function mapOf(value: unknown): CborMap {
  if (!(value instanceof Map)) return new Map();
  return new Map([...(value as ReadonlyMap<unknown, unknown>)].filter(isNumbered));
}

function isNumbered(entry: readonly [unknown, unknown]): entry is [number, unknown] {
  return typeof entry[0] === 'number';
}

/** What a signature covers, without other data (RFC 9052, section 4.4). */
function signedBytes(header: Uint8Array, payload: Uint8Array): Uint8Array {
  return encode(['Signature1', header, new Uint8Array(), payload]);
}
