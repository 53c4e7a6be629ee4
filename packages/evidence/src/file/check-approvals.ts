import { objectOf, quote, textOf } from '@proffer/core/json';
import {
  type AskedReview,
  decisionDigest,
  definitionDigest,
  isRecent,
  type KeyRegistered,
  type OperationRecord,
  participantStream,
  readAssertion,
  type SignedDecision,
  signingChallenge,
} from '@proffer/core/operations';
import { signedBytes } from '../assertion/check-assertion.js';
import { describeRecord, inSentence } from './check-records.js';
import { describeKey } from './describe.js';
import { definitionIn, isGround, keyGround } from './grounds.js';
import type { EvidenceCheckOptions, Findings } from './report.js';
import type { EvidenceAbout, EvidencePredicate } from './statement.js';
import { type EvidenceRecord, foldProposal, isAbout, recordOf } from './summary.js';

/**
 * Checks the signatures of the people who approved (O-49): by the key whose registration is in the file, over exactly what
 * the record says was decided.
 *
 * @param isLogged - whether the log, as somebody signed it whose key the reader has, has the records
 */
export async function checkApprovals(
  { about, records: entries }: EvidencePredicate,
  isLogged: boolean,
  options: EvidenceCheckOptions,
  { wrong, proved, consistent }: Findings,
): Promise<void> {
  if ('session' in about) return;
  const records = entries.map(recordOf);
  let signatures = 0;
  for (const record of records) {
    if (!isAbout(about, record)) continue;
    const ground = keyGround(about, record);
    if (ground === undefined) {
      const entry = unsignedUnder(record, records);
      if (entry !== undefined)
        consistent.push(
          `${describeRecord(record)} is not signed, although ${quote(entry)} demanded that when the call was proposed: only the journal shows whether the rules were changed.`,
        );
      continue;
    }
    const registration = records.find((one) => isGround(ground, one));
    if (record.salts?.['/envelope/payload/signature'] === null) {
      consistent.push(
        `The signature of ${inSentence(describeRecord(record))} is hidden, so it cannot be checked.`,
      );
      continue;
    }
    if (registration === undefined) continue;
    const { key } = (registration as unknown as KeyRegistered).facts;
    const why = (await faultOf(record, key, options)) ?? otherDefinition(about, record, records);
    if (why !== undefined)
      wrong.push(`${describeRecord(record)} is not signed by ${quote(record.principal)}: ${why}.`);
    else {
      signatures++;
      (isLogged ? proved : consistent).push(
        `${record.principal} signed the decision at seq ${record.seq}, with ${describeKey(key)} that was registered at seq ${registration.seq}.`,
      );
    }
  }
  if (signatures > 0)
    consistent.push(
      'That no key had been revoked when it signed: only the whole journal shows that.',
      'That each key belongs to whom it is registered for: that person can say.',
    );
}

/** The entry by which an approval had to be signed when its call was proposed; `undefined` if there is none. */
function unsignedUnder(
  { type, stream, seq, principal, facts }: EvidenceRecord,
  records: readonly EvidenceRecord[],
): string | undefined {
  if (type !== 'approved' && type !== 'fulfilled') return undefined;
  const before = records.filter((one) => one.stream === stream && one.seq < seq);
  // The signature is in the record of the message that has it.
  const isApproved = before.some((one) => one.type === 'approved' && one.principal === principal);
  if (type === 'fulfilled' && isApproved) return undefined;
  const { review } = (before.find((one) => one.type === 'proposed')?.facts ?? {}) as {
    readonly review?: AskedReview;
  };
  return review?.signed === true && review.entry === facts?.['entry'] ? review.entry : undefined;
}

/** Why a signature is not for the tool as its executor had announced it, if the file shows that. */
function otherDefinition(
  about: EvidenceAbout,
  { seq, facts = {} }: EvidenceRecord,
  records: readonly EvidenceRecord[],
): string | undefined {
  if (!('proposal' in about)) return undefined;
  const { executor, signed } = facts;
  const own = records.filter((record) => isAbout(about, record));
  const subject = foldProposal(about, own)?.subject;
  const announced = records.findLast(
    (one) =>
      one.seq < seq &&
      one.stream === participantStream(about.space, textOf(executor)) &&
      one.facts?.['list'] === subject?.list,
  );
  if (announced === undefined) return undefined;
  const isSame = definitionDigest(definitionIn(announced, subject)) === objectOf(signed)['definition'];
  return isSame ? undefined : `${textOf(executor)} had announced another definition of the tool`;
}

async function faultOf(
  record: EvidenceRecord,
  key: KeyRegistered['facts']['key'],
  { hash, hashText, verifyJwk }: EvidenceCheckOptions,
): Promise<string | undefined> {
  const { envelope } = record as unknown as OperationRecord;
  const assertion = readAssertion(envelope.payload['signature']);
  if (assertion?.key !== key.id) return 'there is no signature by this key';
  if (!isRecent(assertion, record.time)) return 'the signature was not made then';
  const digests = decisionsIn(record).map((decision) => decisionDigest(decision, hashText));
  if (!digests.some((digest) => assertion.digests.includes(digest))) return 'it is about something else';
  const signed = signedBytes(assertion, key, signingChallenge(assertion, hashText), { hash });
  if (signed.wrong !== undefined) return signed.wrong;
  return (await verifyJwk(key.jwk, signed.message, signed.signature))
    ? undefined
    : 'the key did not sign this';
}

/** What was decided by the record; if nobody is named to run it, the message may have said who might. */
function decisionsIn({ stream, principal, facts = {}, envelope }: EvidenceRecord): readonly SignedDecision[] {
  const { proposal, ranDigest, digest, executor, signed } = facts;
  const { definition = null } = (signed ?? {}) as { readonly definition?: string };
  const decision = {
    space: stream.slice(0, stream.indexOf('/')),
    proposal: textOf(proposal),
    verdict: 'approve',
    by: principal,
    call: textOf(ranDigest ?? digest),
    definition,
  } as const;
  const { to = [] } = envelope as { readonly to?: readonly string[] };
  const runners = typeof executor === 'string' ? [[executor]] : [[], to];
  return runners.map((runBy) => Object.assign({ runBy }, decision));
}
