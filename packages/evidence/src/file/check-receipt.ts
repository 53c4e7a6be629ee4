import {
  canonicalJson,
  isJsonObject,
  objectsIn,
  parseJson,
  quote,
  sameJson,
  textOf,
} from '@proffer/core/json';
import { isCommitment, type MacpEnvelope, receiptBody } from '@proffer/core/negotiation';
import { fromBase64, toBase64, utf8 } from '../notes/bytes.js';
import type { VerifyEd25519 } from '../notes/checkpoint.js';
import { keyId, type VerifierKey } from '../notes/signed-note.js';
import type { EvidenceCheckOptions, Findings } from './report.js';
import type { EvidencePredicate } from './statement.js';
import { recordOf } from './summary.js';

/**
 * Checks the receipt of a session: it must say what the Commitment in the records says, and those who signed it must have
 * signed this.
 */
export async function checkReceipt(
  { receipt, records }: EvidencePredicate,
  own: readonly VerifierKey[],
  { keys, verify }: EvidenceCheckOptions,
  { wrong, proved, consistent }: Findings,
): Promise<void> {
  if (receipt === undefined) return;
  const parsed = parseJson(receipt);
  if (!parsed.ok || !isJsonObject(parsed.value)) {
    wrong.push('The receipt is not JSON.');
    return;
  }
  const { attestations, ...body } = parsed.value;
  const committed = records
    .map(recordOf)
    .find(({ envelope }) => isCommitment(envelope as unknown as MacpEnvelope));
  const envelope = committed?.envelope as unknown as MacpEnvelope | undefined;
  if (committed === undefined || envelope === undefined || !isCommitment(envelope)) {
    wrong.push('There is a receipt, but no Commitment that it could be of.');
    return;
  }
  const expected = receiptBody(envelope, {
    wire: textOf(body['commitment_wire_b64']),
    issuer: textOf(body['issuer']),
    acceptedAt: committed.time,
  });
  if (!sameJson(body, expected)) wrong.push('The receipt does not say what the Commitment says.');
  const what = 'The receipt of the session says what its Commitment says';
  let isSigned = false;
  for (const { jws } of objectsIn(attestations)) {
    const signed = await readSignature(textOf(jws), utf8(canonicalJson(body)), [...keys, ...own], verify);
    if (signed.isFalse) wrong.push(`The signature of ${quote(signed.kid)} under the receipt is false.`);
    else if (signed.key !== undefined && keys.includes(signed.key)) isSigned = true;
  }
  if (isSigned) proved.push(`${what}, and is signed.`);
  else consistent.push(`${what}; no key that you have signed it.`);
}

/** Who signed a detached JWS. Without a key that is known, nothing is false. */
async function readSignature(
  jws: string,
  payload: Uint8Array,
  keys: readonly VerifierKey[],
  verify: VerifyEd25519,
): Promise<{ readonly kid: string; readonly key?: VerifierKey; readonly isFalse: boolean }> {
  const [header = '', , signature = ''] = jws.split('.');
  const named = parseJson(new TextDecoder().decode(fromBase64url(header) ?? new Uint8Array()));
  const kid = named.ok && isJsonObject(named.value) ? textOf(named.value['kid']) : '';
  const key = keys.find((one) => keyId(one) === kid);
  const bytes = fromBase64url(signature);
  if (bytes === undefined || key === undefined) return { kid, isFalse: bytes === undefined };
  const signed = utf8(`${header}.${toBase64url(payload)}`);
  return { kid, key, isFalse: !(await verify(key.publicKey, signed, bytes)) };
}

function toBase64url(bytes: Uint8Array): string {
  return toBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

function fromBase64url(text: string): Uint8Array | undefined {
  const padded = text.padEnd(Math.ceil(text.length / 4) * 4, '=');
  return fromBase64(padded.replaceAll('-', '+').replaceAll('_', '/'));
}
