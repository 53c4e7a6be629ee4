import { quote } from '@proffer/core/json';
import { allOf, count } from '@proffer/core/words';
import { encodeEntry } from '../log/entry.js';
import { type Checkpoint, checkSignatures, parseCheckpoint } from '../notes/checkpoint.js';
import { isFrom, keyId, SIGNATURE_TYPES, type VerifierKey } from '../notes/signed-note.js';
import {
  createTreeHashes,
  type HashBytes,
  isSameHash,
  provesConsistency,
  provesInclusion,
} from '../tree/merkle.js';
import { describeRecord } from './check-records.js';
import { hashesInBase64 } from './hashes.js';
import { nameOf } from './make-statement.js';
import type { EvidenceCheckOptions, Findings } from './report.js';
import type { EvidenceEntry, EvidenceLog, EvidencePredicate } from './statement.js';
import { recordOf } from './summary.js';

/** The keys that the file names: they prove nothing, but tell what to ask for. */
export interface NamedKeys {
  readonly log: readonly VerifierKey[];
  readonly witnesses: readonly VerifierKey[];
}

/** What the signed log proves about the records; whether somebody signed it whose key the reader has. */
export async function checkLog(
  predicate: EvidencePredicate & { readonly log: EvidenceLog },
  named: NamedKeys,
  options: EvidenceCheckOptions,
  found: Findings,
): Promise<boolean> {
  const { records: entries, log, about } = predicate;
  const checkpoint = parseCheckpoint(log.checkpoint);
  if (checkpoint === undefined) {
    found.wrong.push('The checkpoint in the file is not a checkpoint.');
    return false;
  }
  const { origin, size } = checkpoint;
  const foreign = named.log.find(({ name }) => name !== origin);
  if (foreign !== undefined)
    found.wrong.push(
      `The checkpoint is that of the log ${quote(origin)}, and the key that of ${quote(foreign.name)}.`,
    );
  const trusted = await checkSigners(checkpoint, named, options, found);
  const placed = checkPlaces(entries, checkpoint, options.hash, found);
  const covered = checkKept(log, checkpoint, options, found);

  const where = `among the first ${size} of the log ${quote(origin)}`;
  const which =
    placed === entries.length ? theseRecords(placed) : `${placed} of the ${entries.length} records`;
  const isAre = placed === 1 ? 'is' : 'are';
  if (placed > 0 && trusted.length > 0)
    found.proved.push(
      `${which} ${isAre} ${where}, as ${allOf([...new Set(trusted.map(({ name }) => name))])} signed: none was changed since, and ${leftOut(predicate)}.`,
    );
  else if (placed > 0)
    found.consistent.push(
      `${which} ${isAre} ${where}, signed with a key that only this file names. Get that key from elsewhere, and ${options.howToGive}.`,
    );
  if (placed < entries.length)
    found.consistent.push(
      `${count(entries.length - placed, 'record')} without a proof: made after the last signed checkpoint, as the file says.`,
    );
  found.consistent.push(
    `That nothing more was recorded about ${quote(nameOf(about))}: a log proves what is in it. Who made the file says so.`,
    'That each participant is who its name says: the gateway checked that when they signed in.',
  );
  const later = entries.filter(
    ({ inclusion }) => inclusion !== undefined && inclusion.index >= covered,
  ).length;
  if ((covered === 0 || later > 0) && !trusted.some(({ isWitness }) => isWitness)) {
    const what =
      covered === 0
        ? 'everything'
        : `what came after your checkpoint, ${later === 1 ? 'one' : `${later}`} of these records included,`;
    found.unknown.push(
      `Whether someone with the key of the log rewrote ${what} and signed it again: no known witness signed it.`,
    );
  }
  return trusted.length > 0 && placed === entries.length;
}

/** These records, as the subject of a sentence. */
export function theseRecords(many: number): string {
  return many === 1 ? 'This record' : `These ${many} records`;
}

/** What the proofs say about records that are not in the file. */
function leftOut({ about, records }: EvidencePredicate): string {
  if (!('since' in about)) return `none before the last one about ${quote(nameOf(about))} is left out`;
  const places = records.flatMap(({ inclusion }) => (inclusion === undefined ? [] : [inclusion.index]));
  const between = (places.at(-1) ?? 0) - (places[0] ?? 0) + 1 - places.length;
  return between === 0
    ? 'none between them is left out'
    : `${count(between, 'record')} between them ${between === 1 ? 'is' : 'are'} of other spaces, or left out`;
}

interface Signer {
  /** Who signed, and when, if it is a witness. */
  readonly name: string;
  readonly isWitness: boolean;
}

/** Who signed the checkpoint, of those whose key the reader has; what is said of others is listed. */
async function checkSigners(
  { note, origin }: Checkpoint,
  named: NamedKeys,
  { keys, verify }: EvidenceCheckOptions,
  { wrong, consistent, unknown }: Findings,
): Promise<readonly Signer[]> {
  const signed = await checkSignatures(note, keys, verify);
  const others = [...named.log, ...named.witnesses].filter(
    (key) => !keys.some((known) => keyId(known) === keyId(key)),
  );
  const claimed = await checkSignatures(note, others, verify);
  if (signed === undefined || claimed === undefined)
    wrong.push('A signature under the checkpoint is not from the key that it names.');
  else if (
    ![...signed, ...claimed].some(({ key }) => key.name === origin && key.type === SIGNATURE_TYPES.log)
  )
    if (signed.length === 0) wrong.push(`No key of the log ${quote(origin)} signed the checkpoint.`);
  const missing = keys.filter((key) => !(signed ?? []).some((one) => one.key === key));
  const ofLog = keys.filter(({ name }) => name === origin);
  if (ofLog.length > 0 && ofLog.every((key) => missing.includes(key)))
    wrong.push(`None of the keys that you have of the log ${quote(origin)} signed the checkpoint.`);
  else if (keys.length > 0 && missing.length === keys.length)
    wrong.push(
      `None of the keys that you have (${allOf(keys.map(({ name }) => name))}) signed the checkpoint of the log ${quote(origin)}.`,
    );
  for (const { name, type } of missing)
    if (type === SIGNATURE_TYPES.witness)
      unknown.push(`Whether the witness ${quote(name)} saw this: it did not sign the checkpoint.`);
  for (const { key, at } of claimed ?? [])
    if (key.type === SIGNATURE_TYPES.witness)
      consistent.push(
        `The witness ${dated(key.name, at)} signed the checkpoint, with a key that only this file names.`,
      );
  for (const signature of note.signatures)
    if (![...keys, ...others].some((key) => isFrom(signature, key)))
      consistent.push(`${quote(signature.name)} claims to have signed the checkpoint; its key is not known.`);
  return (signed ?? []).map(({ key, at }) => ({
    name: dated(key.name, at),
    isWitness: key.type === SIGNATURE_TYPES.witness,
  }));
}

const dated = (name: string, at: number | undefined): string =>
  at === undefined ? name : `${name} (${new Date(at).toISOString()})`;

/** Checks the proof of each record, and returns how many have one. The log is in the order of the journal. */
function checkPlaces(
  entries: readonly EvidenceEntry[],
  checkpoint: Checkpoint,
  hash: HashBytes,
  { wrong }: Findings,
): number {
  let placed = 0;
  let lastIndex = -1;
  let unproved: EvidenceEntry | undefined;
  for (const entry of entries) {
    const { inclusion, seq } = entry;
    if (inclusion === undefined) {
      unproved ??= entry;
      continue;
    }
    if (unproved !== undefined)
      wrong.push(`${describeRecord(recordOf(unproved))} has no proof, although the log has a later one.`);
    unproved = undefined;
    placed++;
    if (!isIncluded(entry, checkpoint, hash))
      wrong.push(
        `The proof of the record at seq ${seq} does not show that it is in the log ${quote(checkpoint.origin)}.`,
      );
    else if (inclusion.index <= lastIndex) wrong.push(`The log has the record at seq ${seq} out of order.`);
    lastIndex = inclusion.index;
  }
  return placed;
}

function isIncluded(
  { seq, record, inclusion }: EvidenceEntry,
  checkpoint: Checkpoint,
  hash: HashBytes,
): boolean {
  const proof = hashesInBase64(inclusion?.hashes ?? []);
  const { hash: sealed } = record as { readonly hash: string };
  if (proof === undefined || !/^[0-9a-f]{64}$/.test(sealed)) return false;
  const hashes = createTreeHashes(hash);
  const leaf = hashes.leaf(encodeEntry({ seq, hash: sealed }));
  const { size, root } = checkpoint;
  return provesInclusion({ leaf, index: inclusion?.index ?? -1, size, root }, proof, hashes);
}

/** Compares the log with the checkpoints that the reader kept, and returns how many records one of them covers. */
function checkKept(
  { consistency }: EvidenceLog,
  { origin, size, root }: Checkpoint,
  { kept, hash }: EvidenceCheckOptions,
  { wrong, proved, unknown }: Findings,
): number {
  let covered = 0;
  for (const { name, checkpoint: earlier } of kept) {
    if (earlier.origin !== origin) {
      wrong.push(`${name} is a checkpoint of the log ${quote(earlier.origin)}, not of ${quote(origin)}.`);
      continue;
    }
    const what = `the first ${count(earlier.size, 'record')} that ${name} covers`;
    const proof = hashesInBase64(consistency.find((one) => one.size === earlier.size)?.hashes ?? []);
    const claim = { earlier: earlier.size, earlierRoot: earlier.root, size, root };
    const isSame = earlier.size === size && isSameHash(earlier.root, root);
    const isProvable = earlier.size < size && consistency.some((one) => one.size === earlier.size);
    if (
      isSame ||
      (isProvable && proof !== undefined && provesConsistency(claim, proof, createTreeHashes(hash)))
    ) {
      covered = Math.max(covered, earlier.size);
      proved.push(`The log continues ${what}.`);
    } else if (isProvable || earlier.size === size) wrong.push(`The log does not begin with ${what}.`);
    else
      unknown.push(
        earlier.size > size
          ? `Whether the log continues ${what}: it had ${size} when this file was made. If the file is newer than that checkpoint, records were removed.`
          : `Whether the log continues ${what}: the file has no proof of it. Ask for one that is made with --checkpoint.`,
      );
  }
  return covered;
}
