import type { JsonObject } from '@proffer/core/json';
import type { Checkpoint, VerifyEd25519 } from '../notes/checkpoint.js';
import type { VerifierKey } from '../notes/signed-note.js';
import type { HashBytes } from '../tree/merkle.js';

export interface EvidenceCheckOptions {
  /** Keys of logs and witnesses that the reader has from elsewhere. If there are any, one must have signed. */
  readonly keys: readonly VerifierKey[];
  /** What a reader without them does with a key, as the end of a sentence. */
  readonly howToGive: string;
  /** Checkpoints that the reader kept, and what they are called. */
  readonly kept: readonly { readonly name: string; readonly checkpoint: Checkpoint }[];
  readonly hash: HashBytes;
  readonly hashText?: (text: string) => string;
  readonly verify: VerifyEd25519;
  /** Checks a signature of a participant's key: Ed25519, and what passkeys have. */
  readonly verifyJwk: (
    jwk: JsonObject,
    message: Uint8Array,
    signature: Uint8Array,
  ) => boolean | Promise<boolean>;
}

/** What a file shows, in sentences. If something is wrong, there is nothing else. */
export interface EvidenceReport {
  readonly wrong: readonly string[];
  readonly proved: readonly string[];
  /** Consistent, but not proved. */
  readonly consistent: readonly string[];
  /** What nobody can know without a witness. */
  readonly unknown: readonly string[];
}

/** A report that is being made. */
export type Findings = { -readonly [Group in keyof EvidenceReport]: string[] };
