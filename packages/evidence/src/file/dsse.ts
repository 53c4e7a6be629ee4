import { isJsonObject, type JsonValue, listOf, objectsIn, textOf } from '@proffer/core/json';
import { fromBase64, joined, toBase64, utf8 } from '../notes/bytes.js';

/** A payload and signatures over it: DSSE, version 1. */
export type DsseEnvelope = {
  readonly payloadType: string;
  /** In base64. */
  readonly payload: string;
  readonly signatures: readonly DsseSignature[];
};

export type DsseSignature = {
  /** Whose it claims to be. */
  readonly keyid: string;
  /** In base64. */
  readonly sig: string;
};

/** What is signed: the type and the payload, each with its length in front, so that neither can pass for the other. */
export function dsseBytes(payloadType: string, payload: Uint8Array): Uint8Array {
  const type = utf8(payloadType);
  return joined(utf8(`DSSEv1 ${type.length} `), type, utf8(` ${payload.length} `), payload);
}

/**
 * @param sign - the signature of each key that signs, over the bytes that are given
 */
export function dsseEnvelope(
  payloadType: string,
  payload: Uint8Array,
  sign: (bytes: Uint8Array) => readonly { readonly keyid: string; readonly signature: Uint8Array }[],
): DsseEnvelope {
  const signatures = sign(dsseBytes(payloadType, payload)).map(({ keyid, signature }) => ({
    keyid,
    sig: toBase64(signature),
  }));
  return { payloadType, payload: toBase64(payload), signatures };
}

/** Parses an envelope, and decodes its payload; `undefined` if the value is none. Does not check its signatures. */
export function readDsse(
  value: JsonValue,
): (Omit<DsseEnvelope, 'payload'> & { readonly payload: Uint8Array }) | undefined {
  if (!isJsonObject(value)) return undefined;
  const signatures = objectsIn(value['signatures']).map(({ keyid, sig }) => ({
    keyid: textOf(keyid),
    sig: textOf(sig),
  }));
  const payload = fromBase64(textOf(value['payload']));
  if (
    payload === undefined ||
    payload.length === 0 ||
    signatures.length !== listOf(value['signatures']).length
  )
    return undefined;
  return { payloadType: textOf(value['payloadType']), payload, signatures };
}
