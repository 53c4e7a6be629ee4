import { quote } from '@proffer/core/json';
import { parseCheckpoint } from '../notes/checkpoint.js';
import { keyId, type VerifierKey } from '../notes/signed-note.js';
import { isSameHash } from '../tree/merkle.js';
import type { EvidenceFile } from './read-statement.js';
import type { EvidenceCheckOptions, Findings } from './report.js';
import { PROOFS, receiptProofs } from './scitt.js';

/**
 * Checks the receipts of a COSE file: they must have the proofs of the statement, which are checked themselves, and be
 * signed over the same root.
 */
export async function checkReceipts(
  { statement, receipts = [] }: EvidenceFile,
  own: readonly VerifierKey[],
  { keys, verify }: EvidenceCheckOptions,
  { wrong, proved, consistent }: Findings,
): Promise<void> {
  const expected = receiptProofs(statement);
  const root = parseCheckpoint(statement.predicate.log?.checkpoint ?? '')?.root;
  for (const { keyid, signature, over, proofs } of receipts) {
    const isOne =
      proofs.size === 1 && [...proofs].every(([kind, found]) => isSame(found, expected.get(kind)));
    if (!isOne) wrong.push('A receipt in the file is not about the records of the statement.');
    const what = proofs.has(PROOFS.inclusion)
      ? 'these records are in its log'
      : 'its log continues what was kept';
    const known = keys.find((key) => keyId(key) === keyid);
    const key = known ?? own.find((one) => keyId(one) === keyid);
    if (key === undefined || root === undefined)
      consistent.push(`${quote(keyid)} claims in a receipt that ${what}; its key is not known.`);
    else if (!(await verify(key.publicKey, over(root), signature)))
      wrong.push(`The signature of ${quote(keyid)} under a receipt is false.`);
    else (known === undefined ? consistent : proved).push(`A receipt of ${key.name} says that ${what}.`);
  }
}

function isSame(found: unknown, expected: readonly Uint8Array[] | undefined): boolean {
  return (
    Array.isArray(found) &&
    found.length === expected?.length &&
    found.every(
      (proof, at) => proof instanceof Uint8Array && isSameHash(proof, expected[at] ?? new Uint8Array()),
    )
  );
}
