import { agreementOf } from '@proffer/core/agreement';
import { objectOf, quote, sameJson, textOf } from '@proffer/core/json';
import { type SessionRecord, sessionStream } from '@proffer/core/negotiation';
import { expectedHash } from '@proffer/core/records';
import { count } from '@proffer/core/words';
import { groundsOf, isGround } from './grounds.js';
import { nameOf } from './make-statement.js';
import type { EvidenceCheckOptions, Findings } from './report.js';
import type { EvidencePredicate } from './statement.js';
import { type EvidenceRecord, isAbout, recordOf, streamOf, summarize } from './summary.js';

/**
 * Whether each record is what was sealed, follows the one before it, and belongs into the file, and the summary follows
 * from them. Returns whether they can be folded at all.
 */
export function checkRecords(
  { about, records: entries, summary }: EvidencePredicate,
  { hashText }: EvidenceCheckOptions,
  found: Findings,
): boolean {
  const { wrong } = found;
  const records = entries.map(recordOf);
  const own = new Set(records.filter((record) => isAbout(about, record)));
  if (own.size === 0) wrong.push(`The file has no record about ${quote(nameOf(about))}.`);
  // Only what the file is about is there from its beginning.
  const isOneStream = streamOf(about) !== undefined;
  const lastOf = new Map<string, EvidenceRecord>();
  let lastSeq = -1;
  const hidden: string[] = [];
  for (const record of records) {
    const { seq, stream, version, prev, hash } = record;
    const name = describeRecord(record);
    if (expectedHash(record, hashText) !== hash) wrong.push(`${name} was changed after it was sealed.`);
    for (const [place, salt] of Object.entries(record.salts ?? {})) if (salt === null) hidden.push(place);
    if (seq <= lastSeq) wrong.push(`${name} is not in order.`);
    lastSeq = seq;
    const before = lastOf.get(stream);
    lastOf.set(stream, record);
    const isWhole = isOneStream && own.has(record);
    const expected = before === undefined ? (isWhole ? 1 : version) : before.version + 1;
    if (version !== expected && (isWhole || version < expected))
      wrong.push(`Record ${expected} of ${quote(stream)} is missing: ${inSentence(name)} comes next.`);
    else if (version === expected && prev !== (before?.hash ?? (version === 1 ? '' : prev)))
      wrong.push(`${name} does not follow the record before it.`);
  }
  if (hidden.length > 0) found.consistent.push(describeHidden(hidden));
  try {
    checkGrounds(about, records, own, found);
    checkAgreements(records, own, found);
    const expected = summarize(about, records);
    if (!sameJson(summary, expected)) wrong.push(describeDifference(summary, expected));
    return true;
  } catch (error) {
    wrong.push(`The records do not make sense: ${(error as Error).message}`);
    return false;
  }
}

/** What is left out, and what stands in its place. */
function describeHidden(places: readonly string[]): string {
  const names = places.map((place) => /\/params\/arguments\/([^/]+)$/.exec(place)?.[1]);
  const plain = names.map((name) => name?.replaceAll('~1', '/').replaceAll('~0', '~'));
  const args = [...new Set(plain.filter((name) => name !== undefined))].map(quote);
  const what = args.length === 0 ? '' : `, ${args.join(' and ')} among them`;
  return `${count(places.length, 'value')} of these records ${places.length === 1 ? 'is' : 'are'} hidden${what}. Their salted hashes are part of what was sealed, so they are fixed, and equal hashes stand for equal values. A file that does not hide a value shows what it was.`;
}

/** Only what decisions rest on may be beside the records that the file is about. */
function checkGrounds(
  about: EvidencePredicate['about'],
  records: readonly EvidenceRecord[],
  own: ReadonlySet<EvidenceRecord>,
  { wrong, consistent }: Findings,
): void {
  const grounds = groundsOf(about, records);
  const others = records.filter((record) => !own.has(record));
  for (const record of others)
    if (!grounds.some((ground) => isGround(ground, record)))
      wrong.push(`${describeRecord(record)} is not about ${quote(nameOf(about))}, and nothing rests on it.`);
  const missing = new Set(grounds.map(({ name }) => name));
  for (const ground of grounds)
    if (records.some((record) => isGround(ground, record))) missing.delete(ground.name);
  for (const name of missing) consistent.push(`The file does not show ${quote(name)}.`);
}

/** What a session agreed on follows from its records (N-32), if the file has them. */
function checkAgreements(
  records: readonly EvidenceRecord[],
  own: ReadonlySet<EvidenceRecord>,
  { wrong, consistent }: Findings,
): void {
  for (const record of own) {
    const agreement = objectOf(record.facts?.['agreement']);
    const { session, committedBy: by } = agreement;
    if (record.type !== 'agreed' || typeof session !== 'string') continue;
    const whole = records.filter(({ stream }) => stream === sessionStream(session));
    if (whole.length === 0) continue;
    const found = agreementOf(whole as readonly object[] as readonly SessionRecord[]);
    const isWhole = whole.every(({ version }, index) => version === index + 1);
    if (isWhole && found?.ok === true && sameJson(found.value.agreement, agreement))
      consistent.push(
        `The session ${quote(session)}, committed by ${quote(textOf(by))}, says what was agreed, and by whom.`,
      );
    else wrong.push(`${describeRecord(record)} is not what the session ${quote(session)} says.`);
  }
}

/** The same, but not at its beginning. */
export function inSentence(name: string): string {
  return name.replace(/^The/, 'the');
}

export function describeRecord({ seq, principal, type }: EvidenceRecord): string {
  return `The record at seq ${seq} (${type}, ${principal})`;
}

function describeDifference(
  summary: EvidencePredicate['summary'],
  expected: EvidencePredicate['summary'],
): string {
  const step = expected.steps.find((one, at) => !sameJson(one, summary.steps[at] ?? null));
  const where =
    step === undefined
      ? `it says ${quote(summary.state ?? '')}, and they say ${quote(expected.state ?? '')}`
      : `they have ${step.what} by ${step.who} at seq ${step.seq}`;
  return `The summary is not what the records say: ${where}.`;
}
