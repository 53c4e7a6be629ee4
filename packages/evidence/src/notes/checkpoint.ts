import { HASH_BYTES } from '@proffer/journal/tree';
import { fromBase64, joined, toBase64, utf8 } from './bytes.js';
import {
  isFrom,
  type NoteSignature,
  parseNote,
  SIGNATURE_TYPES,
  type SignedNote,
  type VerifierKey,
} from './signed-note.js';

/** The state of a log: how many records it has, and the root of the tree over them. */
export interface TreeState {
  readonly size: number;
  readonly root: Uint8Array;
}

/** A state that a log has signed: C2SP's tlog-checkpoint. */
export interface Checkpoint extends TreeState {
  /** The name of the log. */
  readonly origin: string;
  readonly note: SignedNote;
}

/** The text of a checkpoint, without signatures. */
export function checkpointText(origin: string, { size, root }: TreeState): string {
  return `${origin}\n${size}\n${toBase64(root)}\n`;
}

/** Parses a checkpoint; `undefined` if the text is none. Does not check its signatures. */
export function parseCheckpoint(text: string): Checkpoint | undefined {
  const note = parseNote(text);
  if (note === undefined) return undefined;
  const [origin = '', size = '', encoded = ''] = note.text.split('\n');
  const root = fromBase64(encoded);
  const isSize = /^(?:0|[1-9]\d{0,15})$/.test(size) && Number.isSafeInteger(Number(size));
  if (origin === '' || !isSize || root?.length !== HASH_BYTES) return undefined;
  return { origin, size: Number(size), root, note };
}

/**
 * Parses the checkpoints of a file to which they were added one after another. What is left of one that was cut off is
 * skipped.
 */
export function parseCheckpoints(text: string): readonly Checkpoint[] {
  const found: Checkpoint[] = [];
  let lines: string[] = [];
  let signatures: string[] = [];
  const end = (): void => {
    // A checkpoint has three lines; those before them are from one that was cut off.
    const checkpoint = parseCheckpoint(`${lines.slice(-3).join('\n')}\n\n${signatures.join('\n')}\n`);
    if (checkpoint !== undefined) found.push(checkpoint);
    lines = [];
    signatures = [];
  };
  for (const line of text.split('\n')) {
    if (line.startsWith('— ')) signatures.push(line);
    else {
      if (signatures.length > 0) end();
      if (line !== '') lines.push(line);
      if (lines.length > MAX_CUT_OFF) lines.shift();
    }
  }
  if (signatures.length > 0) end();
  return found;
}

const MAX_CUT_OFF = 8;

/** Checks an Ed25519 signature. */
export type VerifyEd25519 = (
  publicKey: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
) => boolean | Promise<boolean>;

/** A valid signature of a known key. */
export interface CheckedSignature {
  readonly key: VerifierKey;
  /** When a witness signed it, in milliseconds since 1970; a log's own signature has no time. */
  readonly at?: number;
}

/**
 * The signatures of known keys on a note. Signatures of others mean nothing and are left out.
 *
 * @returns `undefined` if one that claims to be from a known key is false: then nothing about the note can be trusted
 */
export async function checkSignatures(
  { text, signatures }: SignedNote,
  keys: readonly VerifierKey[],
  verify: VerifyEd25519,
): Promise<readonly CheckedSignature[] | undefined> {
  const checked: CheckedSignature[] = [];
  for (const signature of signatures) {
    const key = keys.find((one) => isFrom(signature, one));
    if (key === undefined) continue;
    const signed = signedBytes(text, signature, key.type);
    if (signed === undefined || !(await verify(key.publicKey, signed.message, signed.signature)))
      return undefined;
    checked.push(signed.at === undefined ? { key } : { key, at: signed.at });
  }
  return checked;
}

/** When witnesses say that they signed a note, in milliseconds since 1970. Does not check their signatures. */
export function witnessTimes({
  signatures,
}: SignedNote): readonly { readonly name: string; readonly at: number }[] {
  return signatures
    .filter(({ signature }) => signature.length === TIMED_BYTES)
    .map(({ name, signature }) => ({ name, at: timeIn(signature) }));
}

/** The length of a timed Ed25519 signature. */
const TIMED_BYTES = 8 + 64;

/** What a witness signs: the text, and when it saw it, in seconds. */
export function cosignedText(text: string, seconds: number): string {
  return `cosignature/v1\ntime ${seconds}\n${text}`;
}

/** A witness's signature with its time in front, as it stands in a note. */
export function timedSignature(seconds: number, signature: Uint8Array): Uint8Array {
  const time = new Uint8Array(8);
  new DataView(time.buffer).setBigUint64(0, BigInt(seconds));
  return joined(time, signature);
}

function signedBytes(
  text: string,
  { signature }: NoteSignature,
  type: number,
): { readonly message: Uint8Array; readonly signature: Uint8Array; readonly at?: number } | undefined {
  if (type === SIGNATURE_TYPES.log) return { message: utf8(text), signature };
  if (type !== SIGNATURE_TYPES.witness || signature.length <= 8) return undefined;
  const at = timeIn(signature);
  return { message: utf8(cosignedText(text, at / 1000)), signature: signature.slice(8), at };
}

function timeIn(signature: Uint8Array): number {
  return Number(new DataView(signature.buffer, signature.byteOffset).getBigUint64(0)) * 1000;
}
