import { createPrivateKey, createPublicKey, type KeyObject, randomBytes, sign } from 'node:crypto';
import { fromBase64, toBase64, toHex, utf8 } from '../notes/bytes.js';
import { cosignedText, timedSignature } from '../notes/checkpoint.js';
import { type NoteSignature, SIGNATURE_TYPES, type VerifierKey, verifierKey } from '../notes/signed-note.js';
import { sha256 } from './native.js';

/** A key that a log or a witness signs with. As text: PRIVATE+KEY+NAME+ID+SEED, on one line of a file. */
export interface SignerKey {
  /** What others check its signatures with. */
  readonly verifier: VerifierKey;
  readonly seed: Uint8Array;
}

/** What precedes the seed of an Ed25519 key in PKCS #8. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

export function makeSignerKey(name: string, type: number = SIGNATURE_TYPES.log): SignerKey {
  return signerKey(name, type, randomBytes(32));
}

export function formatSignerKey({ verifier: { name, id, type }, seed }: SignerKey): string {
  return `PRIVATE+KEY+${name}+${toHex(id)}+${toBase64(Buffer.concat([Uint8Array.of(type), seed]))}`;
}

/** The keys in a file, one on each line; `undefined` if a line is none. */
export function parseSignerKeys(text: string): readonly SignerKey[] | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const keys = lines.map((line) => parseSignerKey(line.trim())).filter((key) => key !== undefined);
  return keys.length === lines.length && keys.length > 0 ? keys : undefined;
}

function parseSignerKey(line: string): SignerKey | undefined {
  const [, name, id, encoded = ''] = /^PRIVATE\+KEY\+([^\s+]+)\+([0-9a-f]{8})\+(\S+)$/u.exec(line) ?? [];
  const bytes = fromBase64(encoded);
  const [type] = bytes ?? [];
  if (name === undefined || type === undefined || bytes?.length !== 33) return undefined;
  const key = signerKey(name, type, bytes.slice(1));
  return toHex(key.verifier.id) === id ? key : undefined;
}

/** The signature of a log under a note's text. */
export function signText(key: SignerKey, text: string): NoteSignature {
  return { ...key.verifier, signature: signBytes(key, utf8(text)) };
}

/** An Ed25519 signature over bytes. */
export function signBytes({ seed }: SignerKey, bytes: Uint8Array): Uint8Array {
  return sign(null, bytes, privateKeyOf(seed));
}

/** The signature of a witness under a checkpoint's text, with the time. */
export function cosignText(key: SignerKey, text: string, now: number): NoteSignature {
  const seconds = Math.floor(now / 1000);
  const signature = signBytes(key, utf8(cosignedText(text, seconds)));
  return { ...key.verifier, signature: timedSignature(seconds, signature) };
}

function signerKey(name: string, type: number, seed: Uint8Array): SignerKey {
  const { x = '' } = createPublicKey(privateKeyOf(seed)).export({ format: 'jwk' });
  const publicKey = new Uint8Array(Buffer.from(x, 'base64url'));
  return { verifier: verifierKey({ name, type, publicKey }, sha256), seed };
}

function privateKeyOf(seed: Uint8Array): KeyObject {
  return createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' });
}
