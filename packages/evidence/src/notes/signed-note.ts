import type { HashBytes } from '../tree/merkle.js';
import { isSameHash } from '../tree/merkle.js';
import { fromBase64, fromHex, joined, toBase64, toHex, utf8 } from './bytes.js';

/**
 * A text and signatures over it, in C2SP's signed-note format. The text ends with a newline; the signatures follow after
 * an empty line.
 */
export interface SignedNote {
  readonly text: string;
  readonly signatures: readonly NoteSignature[];
}

/** A signature of a note, and the key it claims to be from. */
export interface NoteSignature {
  readonly name: string;
  /** Four bytes that tell keys with the same name apart. */
  readonly id: Uint8Array;
  readonly signature: Uint8Array;
}

/**
 * What a signature covers; the number is part of the format. A log signs the text; a witness signs it together with the
 * time.
 */
export const SIGNATURE_TYPES = { log: 1, witness: 4 } as const;

/** A key that signatures are checked with, as text: NAME+ID+KEY. */
export interface VerifierKey {
  readonly name: string;
  readonly id: Uint8Array;
  readonly type: number;
  readonly publicKey: Uint8Array;
}

/** More than this is not read: a note is small. */
const MAX_SIGNATURES = 64;

export function formatNote({ text, signatures }: SignedNote): string {
  return `${text}\n${signatures.map(formatSignature).join('')}`;
}

/** A signature as a line of a note. */
export function formatSignature({ name, id, signature }: NoteSignature): string {
  return `— ${name} ${toBase64(joined(id, signature))}\n`;
}

/** Parses a note; `undefined` if it is none. Does not check its signatures. */
export function parseNote(note: string): SignedNote | undefined {
  const split = note.lastIndexOf('\n\n');
  if (split === -1 || !note.endsWith('\n') || CONTROL.test(note)) return undefined;
  const lines = note.slice(split + 2, -1).split('\n');
  if (lines.length > MAX_SIGNATURES) return undefined;
  const signatures = lines.map(parseSignature).filter((signature) => signature !== undefined);
  return signatures.length === lines.length ? { text: note.slice(0, split + 1), signatures } : undefined;
}

/** A note contains no control characters but newlines. */
const CONTROL = /(?!\n)\p{Cc}/u;

/** Parses a line with a signature; `undefined` if it is none. */
export function parseSignature(line: string): NoteSignature | undefined {
  const [, name, encoded = ''] = /^— ([^\s+]+) (\S+)$/u.exec(line) ?? [];
  const bytes = fromBase64(encoded);
  if (name === undefined || bytes === undefined || bytes.length < 5) return undefined;
  return { name, id: bytes.slice(0, 4), signature: bytes.slice(4) };
}

/** The key of a name, with the id that follows from it. */
export function verifierKey(
  { name, type, publicKey }: Omit<VerifierKey, 'id'>,
  hash: HashBytes,
): VerifierKey {
  const id = hash(joined(utf8(`${name}\n`), Uint8Array.of(type), publicKey)).slice(0, 4);
  return { name, id, type, publicKey };
}

export function formatVerifierKey({ name, id, type, publicKey }: VerifierKey): string {
  return `${name}+${toHex(id)}+${toBase64(joined(Uint8Array.of(type), publicKey))}`;
}

/** What other formats call a key: its name and its id. */
export function keyId({ name, id }: VerifierKey): string {
  return `${name}+${toHex(id)}`;
}

/** Parses a key; `undefined` if it is none, or its id is not the one that follows from it. */
export function parseVerifierKey(text: string, hash: HashBytes): VerifierKey | undefined {
  const [, name, id = '', encoded = ''] = /^([^\s+]+)\+([0-9a-f]{8})\+(\S+)$/u.exec(text) ?? [];
  const bytes = fromBase64(encoded);
  const [type] = bytes ?? [];
  if (name === undefined || bytes?.length !== 33 || type === undefined) return undefined;
  const key = verifierKey({ name, type, publicKey: bytes.slice(1) }, hash);
  return isSameHash(key.id, fromHex(id) ?? new Uint8Array()) ? key : undefined;
}

/** Whether a signature claims to be from a key. */
export function isFrom({ name, id }: NoteSignature, key: VerifierKey): boolean {
  return name === key.name && isSameHash(id, key.id);
}
