import { canonicalJson } from '@proffer/core/json';
import { type DsseEnvelope, dsseEnvelope } from '../file/dsse.js';
import { signScitt } from '../file/scitt.js';
import { type EvidenceStatement, STATEMENT_PAYLOAD } from '../file/statement.js';
import { toBase64, utf8 } from '../notes/bytes.js';
import { keyId } from '../notes/signed-note.js';
import { type SignerKey, signBytes } from './signer-key.js';

/** An evidence file: a statement in an envelope that the keys of a log sign; nobody, if there are none. */
export function signStatement(statement: EvidenceStatement, signers: readonly SignerKey[]): DsseEnvelope {
  return dsseEnvelope(STATEMENT_PAYLOAD, utf8(canonicalJson(statement)), (bytes) =>
    signers.map((key) => ({ keyid: keyId(key.verifier), signature: signBytes(key, bytes) })),
  );
}

/** An evidence file in COSE, as JSON answers have it. */
export type CoseFile = {
  /** In base64. */
  readonly cose: string;
};

/** An evidence file in COSE, which one key signs. */
export function signCoseStatement(statement: EvidenceStatement, signer: SignerKey): CoseFile {
  const sign = (bytes: Uint8Array): Uint8Array => signBytes(signer, bytes);
  return { cose: toBase64(signScitt(statement, { keyid: keyId(signer.verifier), sign })) };
}
