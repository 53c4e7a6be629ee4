import { type JsonObject, objectOf, objectsIn, textOf } from '@proffer/core/json';
import { sessionStream } from '@proffer/core/negotiation';
import { type OperationRecord, type Proposal, participantStream } from '@proffer/core/operations';
import type { EvidenceAbout } from './statement.js';
import { type EvidenceRecord, foldProposal, isAbout } from './summary.js';

/** A record elsewhere in the journal that a decision rests on. */
export interface Ground {
  /** What it is, for people: `what tools announced`. */
  readonly name: string;
  /** The record that rests on it; what is sought came before it. */
  readonly seq: number;
  readonly stream: string;
  readonly is: (record: OperationRecord) => boolean;
  /** The session that it is all the records of; absent for a single record. */
  readonly session?: string;
}

/**
 * What the records about a proposal rest on: what its executor had announced, the grant that allowed it, the sessions in
 * which it was agreed on (O-53), and the keys that approvals are signed with (O-49). Of everything in a space, only the
 * keys: most of the others are records of the space, too.
 *
 * @throws Error for records that no gateway writes
 */
export function groundsOf(about: EvidenceAbout, records: readonly EvidenceRecord[]): readonly Ground[] {
  if ('session' in about) return [];
  const own = records.filter((record) => isAbout(about, record));
  if ('since' in about) return own.flatMap((record) => keyGround(about, record) ?? []);
  const subject = foldProposal(about, own)?.subject;
  return own.flatMap((record) => {
    const { seq, principal, facts = {} } = record;
    const { executor, grant, runsBy, agreement } = facts;
    const session = textOf(objectOf(agreement)['session']);
    const key = keyGround(about, record);
    const found: Ground[] = key === undefined ? [] : [key];
    if (session !== '')
      found.push({
        name: `the session ${session}`,
        seq,
        stream: sessionStream(session),
        is: () => true,
        session,
      });
    if (textOf(executor) !== '' && subject !== undefined)
      found.push({
        name: `what ${textOf(executor)} announced`,
        seq,
        stream: participantStream(about.space, textOf(executor)),
        is: (one) => one.type === 'announced' && one.facts.list === subject.list,
      });
    const id = textOf(grant) || textOf(runsBy);
    // A grant is in the stream of whom it was given to: the proposer, or the sender of the message.
    if (id !== '')
      for (const holder of new Set([own[0]?.principal ?? '', principal]))
        found.push({
          name: `the grant ${id}`,
          seq,
          stream: participantStream(about.space, holder),
          is: (one) => one.type === 'granted' && one.envelope.id === id,
        });
    return found;
  });
}

/** The registration of the key that a decision is signed with (O-49); `undefined` if it is not signed. */
export function keyGround(
  { space }: { readonly space: string },
  { seq, principal, facts }: EvidenceRecord,
): Ground | undefined {
  const id = textOf(objectOf(facts?.['signed'])['key']);
  if (id === '') return undefined;
  return {
    name: `how ${principal} registered the key ${id}`,
    seq,
    stream: participantStream(space, principal),
    is: (one) => one.type === 'key_registered' && one.facts.key.id === id,
  };
}

/** What a record announces about a tool, prompt or resource; `undefined` if it announces others. */
export function definitionIn(
  { envelope, facts }: EvidenceRecord,
  subject: Proposal['subject'],
): JsonObject | undefined {
  const payload = objectOf(envelope['payload']);
  const announced = objectsIn(objectOf(payload['result'] ?? payload)[textOf(facts?.['list'])]);
  return announced.find(({ name, uri }) => subject?.name === (name ?? uri));
}

/** Whether a record is what a ground names. */
export function isGround({ seq, stream, is }: Ground, record: EvidenceRecord): boolean {
  return record.stream === stream && record.seq < seq && is(record as unknown as OperationRecord);
}
