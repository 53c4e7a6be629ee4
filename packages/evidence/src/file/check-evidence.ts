import { quote } from '@proffer/core/json';
import { makeVisible } from '@proffer/core/text';
import { count } from '@proffer/core/words';
import { keyId, parseVerifierKey, SIGNATURE_TYPES, type VerifierKey } from '../notes/signed-note.js';
import type { HashBytes } from '../tree/merkle.js';
import { checkApprovals } from './check-approvals.js';
import { checkLog, type NamedKeys, theseRecords } from './check-log.js';
import { checkReceipt } from './check-receipt.js';
import { checkRecords } from './check-records.js';
import { checkReceipts } from './check-scitt.js';
import { nameOf } from './make-statement.js';
import type { EvidenceFile } from './read-statement.js';
import type { EvidenceCheckOptions, EvidenceReport, Findings } from './report.js';
import type { EvidenceEntry, EvidenceLog } from './statement.js';
import { isAbout, recordOf } from './summary.js';

/**
 * Checks everything in an evidence file that can be checked without the journal: each record, their chain, their places
 * in the log, its signatures, and that the summary follows from the records.
 */
export async function checkEvidence(
  file: EvidenceFile,
  options: EvidenceCheckOptions,
): Promise<EvidenceReport> {
  const found: Findings = { wrong: [], proved: [], consistent: [], unknown: [] };
  const { predicate, subject: subjects } = file.statement;
  const { about, records, log } = predicate;
  const isReadable = checkRecords(predicate, options, found);
  const last = records.map(recordOf).findLast((record) => isAbout(about, record));
  const [subject] = subjects;
  if (subjects.length !== 1 || subject?.name !== nameOf(about) || subject.digest.sha256 !== last?.hash)
    found.wrong.push(`The subject of the statement is not the last record about ${quote(nameOf(about))}.`);
  const named = readNamedKeys(log, options.hash, found);
  const isVouched = await checkFileSignature(file, named.log, options, found);
  if (log !== undefined && !isVouched) checkVouched(records, options, found);
  await checkReceipts(file, named.log, options, found);
  await checkReceipt(predicate, named.log, options, found);
  const isLogged =
    log === undefined
      ? checkWithoutLog(records.length, options, found)
      : await checkLog({ ...predicate, log }, named, options, found);
  if (isReadable) await checkApprovals(predicate, isLogged, options, found);
  return shown(found);
}

/** Names in a file are anybody's: nothing in the report may move a cursor. What is wrong is all that counts then. */
function shown({ wrong, proved, consistent, unknown }: Findings): EvidenceReport {
  if (wrong.length > 0) return { wrong: wrong.map(makeVisible), proved: [], consistent: [], unknown: [] };
  return {
    wrong: [],
    proved: eachOnce(proved),
    consistent: eachOnce(consistent),
    unknown: eachOnce(unknown),
  };
}

/** While the key of a log is replaced, both keys say the same. */
function eachOnce(sentences: readonly string[]): readonly string[] {
  return [...new Set(sentences.map(makeVisible))];
}

function checkWithoutLog(many: number, { keys, kept }: EvidenceCheckOptions, found: Findings): false {
  if (keys.length > 0 || kept.length > 0)
    found.wrong.push(
      'The file has no proof from a signed log, so none of your keys and checkpoints is in it.',
    );
  found.consistent.push(`${theseRecords(many)}: each is what was sealed, and follows the one before it.`);
  found.unknown.push(
    'Whether someone who could write the journal changed it and sealed everything again: the file has no proof from a signed log.',
  );
  return false;
}

function readNamedKeys(log: EvidenceLog | undefined, hash: HashBytes, { wrong }: Findings): NamedKeys {
  const read = (texts: readonly string[], type: number): readonly VerifierKey[] => {
    const keys = texts.map((text) => parseVerifierKey(text, hash)).filter((key) => key?.type === type);
    if (keys.length !== texts.length) wrong.push('One of the keys in the file is not a key.');
    return keys.filter((key) => key !== undefined);
  };
  return {
    log: read(log?.keys ?? [], SIGNATURE_TYPES.log),
    witnesses: read(log?.witnesses ?? [], SIGNATURE_TYPES.witness),
  };
}

/** A checkpoint is public: beside it, whoever made the file can put records that are in no log. */
function checkVouched(
  records: readonly EvidenceEntry[],
  { keys }: EvidenceCheckOptions,
  { wrong }: Findings,
): void {
  const many = records.filter(({ inclusion }) => inclusion === undefined).length;
  if (keys.length === 0 || many === 0) return;
  wrong.push(
    `${count(many, 'record')} without a proof, in a file that none of your keys signed: anybody could have added ${many === 1 ? 'it' : 'them'}.`,
  );
}

/** The signature over the file itself: who says that this is all, and nothing else. Whether a key of the reader made it. */
async function checkFileSignature(
  { signatures }: EvidenceFile,
  own: readonly VerifierKey[],
  { keys, verify }: EvidenceCheckOptions,
  { wrong, proved, consistent }: Findings,
): Promise<boolean> {
  let isVouched = false;
  const claims: string[] = [];
  if (signatures.length === 0) consistent.push('Nobody signed the file itself.');
  for (const { keyid, signature, over } of signatures) {
    const known = keys.find((key) => keyId(key) === keyid);
    const key = known ?? own.find((one) => keyId(one) === keyid);
    if (key === undefined)
      consistent.push(`${quote(keyid)} claims to have signed the file; its key is not known.`);
    else if (signature === undefined || !(await verify(key.publicKey, over, signature)))
      wrong.push(`The signature of ${quote(keyid)} over the file is false: something in it was changed.`);
    else if (known !== undefined) {
      proved.push(`The file is as ${key.name} made and signed it.`);
      isVouched = true;
    } else
      claims.push(`The file is as ${key.name} made and signed it, with a key that only this file names.`);
  }
  // While a key is replaced, both sign: one that the reader has is enough.
  if (!isVouched) consistent.push(...claims);
  return isVouched;
}
