import { encodeEnvelope } from '@proffer/core';
import { type JsonObject, type JsonValue, listOf, objectOf, textOf } from '@proffer/core/json';
import { describeMessage, type MacpEnvelope } from '@proffer/core/negotiation';
import {
  type AskedReview,
  deliveredEnvelope,
  type KeyRegistered,
  type OperationRecord,
  type Proposal,
  type RegisteredKey,
} from '@proffer/core/operations';
import { hideSecrets } from '@proffer/core/secrets';
import { anyOf, count, describeState, describeStep, PLAIN, person } from '@proffer/core/words';
import { parseCheckpoint, witnessTimes } from '../notes/checkpoint.js';
import { definitionIn } from './grounds.js';
import { nameOf } from './make-statement.js';
import type { EvidenceStatement } from './statement.js';
import { type EvidenceRecord, foldProposal, isAbout, recordOf } from './summary.js';

/** What a file is about, for people. Secrets are hidden, and nothing in it needs to be made visible. */
export interface DescribedEvidence {
  /** What it is about, and what became of it. */
  readonly title: string;
  /** The call that was proposed, with its arguments. */
  readonly call?: { readonly name: string; readonly params: JsonObject };
  readonly steps: readonly {
    readonly seq: number;
    /** In ISO 8601. */
    readonly at: string;
    readonly who: string;
    readonly what: string;
  }[];
  /** What the policy of the space required, if it had one for this call (O-28). */
  readonly policy?: string;
  /** What the decisions rest on. */
  readonly grounds: readonly {
    readonly seq: number;
    readonly who: string;
    readonly what: string;
    /** The definition of the tool that was called, or what was granted. */
    readonly shown?: JsonObject;
  }[];
  /** The signed log, and the witnesses that are named under its checkpoint. */
  readonly log?: { readonly name: string; readonly size: number; readonly witnesses: readonly string[] };
}

/**
 * Describes what the records say, not what the file says about them.
 *
 * @throws Error for records that no gateway writes
 */
export function describeEvidence({ predicate }: EvidenceStatement): DescribedEvidence {
  const { about, summary } = predicate;
  const records = predicate.records.map(recordOf);
  const own = records.filter((record) => isAbout(about, record));
  const proposal = 'proposal' in about ? foldProposal(about, own) : undefined;
  const steps = own.map((record) => ({
    seq: record.seq,
    at: new Date(record.time).toISOString(),
    who: PLAIN.name(record.principal),
    what: describeStepOf(record, about),
  }));
  const grounds = records
    .filter((record) => !own.includes(record))
    .map((record) => {
      const shown = shownOf(record, proposal);
      const ground = {
        seq: record.seq,
        who: PLAIN.name(record.principal),
        what: describeGround(record),
      };
      return shown === undefined ? ground : Object.assign(ground, { shown: hideSecrets(shown).value });
    });
  const name = PLAIN.text(nameOf(about));
  const described = { steps, grounds, ...logOf(predicate) };
  if (proposal === undefined)
    return { title: summary.state === undefined ? name : `${name}: ${summary.state}`, ...described };
  const { method, subject, params, review } = proposal;
  return {
    title: `${name}: ${describeState(proposal).word}`,
    call: {
      name: PLAIN.text(subject?.name ?? method),
      params: shortened(hideSecrets(objectOf(params)).value),
    },
    ...(review === undefined ? {} : { policy: describePolicy(review) }),
    ...described,
  };
}

/** Of what a decision rests on, what concerns it: the definition of the tool that was called, or what was granted. */
function shownOf(record: EvidenceRecord, proposal: Proposal | undefined): JsonObject | undefined {
  if (record.type === 'key_registered') return undefined;
  return record.type === 'announced'
    ? definitionIn(record, proposal?.subject)
    : objectOf(record.envelope['payload']);
}

function describeGround(record: EvidenceRecord): string {
  if (record.type !== 'key_registered') return record.type.replaceAll('_', ' ');
  return describeRegistration((record as unknown as KeyRegistered).facts);
}

/** Who registered a key on whose word is what a signature is worth; its bytes say nothing to people. */
export function describeRegistration({
  key,
  participant,
}: Pick<KeyRegistered['facts'], 'key' | 'participant'>): string {
  const { vouched, label } = key;
  const what = `registered ${describeKey(key)}${label === undefined ? '' : ` “${PLAIN.text(label)}”`}`;
  if ('key' in vouched) return `${what}, signed with the key ${PLAIN.text(vouched.key)}`;
  const by =
    vouched.code === participant
      ? 'a code of their own, as an operator'
      : `a code of ${PLAIN.name(vouched.code)}`;
  return `${what}, with ${by}`;
}

/** A key, for people. */
export function describeKey({ type, domain, id }: Pick<RegisteredKey, 'type' | 'domain' | 'id'>): string {
  return `${type === 'passkey' ? `a passkey of ${PLAIN.text(textOf(domain))}` : 'an Ed25519 key'} (${PLAIN.text(id)})`;
}

function describePolicy({ entry, needed, from, signed }: AskedReview): string {
  const whom =
    from.length === 0 ? 'anyone who may make the call' : anyOf(from.map((one) => person(one, PLAIN)));
  return `${PLAIN.text(entry)}: ${count(needed, signed === true ? 'signed approval' : 'approval')} from ${whom}`;
}

function logOf({ log }: EvidenceStatement['predicate']): Pick<DescribedEvidence, 'log'> {
  const checkpoint = parseCheckpoint(log?.checkpoint ?? '');
  if (checkpoint === undefined) return {};
  const { origin, size, note } = checkpoint;
  const witnesses = witnessTimes(note).map(({ name, at }) => `${PLAIN.text(name)} (${PLAIN.moment(at)})`);
  return { log: { name: PLAIN.text(origin), size, witnesses } };
}

function describeStepOf(record: EvidenceRecord, about: EvidenceStatement['predicate']['about']): string {
  if ('session' in about) return describeSessionStep(record);
  const { proposal, participant } = objectOf(record.facts);
  const what = describeOperationStep(record);
  if ('proposal' in about) return what;
  // Steps of several proposals, and of participants, are told apart.
  if (typeof proposal === 'string') {
    const { name, arguments: args } = objectOf(objectOf(record.envelope['payload'])['params']);
    const call = record.type === 'proposed' ? `: ${textOf(name)} ${shownValue('arguments', args)}` : '';
    return `${PLAIN.text(proposal)}: ${what}${PLAIN.text(call)}`;
  }
  const isOwn = participant === undefined || participant === record.principal;
  return isOwn ? what : `${what} for ${PLAIN.name(textOf(participant))}`;
}

function describeOperationStep(record: EvidenceRecord): string {
  if (!('proposal' in objectOf(record.facts))) return record.type.replaceAll('_', ' ');
  const envelope = deliveredEnvelope(record as unknown as OperationRecord);
  const { payload, to } = encodeEnvelope(envelope, 'mcpx', { seq: record.seq }) as unknown as {
    readonly payload: JsonObject;
    readonly to?: readonly string[];
  };
  const step = shortened({
    type: record.type,
    facts: objectOf(record.facts),
    payload,
    ...(to === undefined ? {} : { to }),
  });
  const { what, said } = describeStep(step, PLAIN);
  const more = [describeChanges(step.facts['amendment']), describeAnswer(step)].join('');
  return `${what}${said === undefined ? '' : `: “${PLAIN.text(said)}”`}${more}`;
}

/** What somebody changed in the call. */
function describeChanges(amendment: JsonValue | undefined): string {
  const changes = listOf(amendment).map((change) => {
    const { path, before, after } = objectOf(change);
    const name = textOf(path).replace(/^\/arguments\//, '');
    return typeof change === 'string'
      ? change
      : `${name} from ${shownValue(name, before)} to ${shownValue(name, after)}`;
  });
  return changes.length === 0 ? '' : PLAIN.text(` (${changes.join('; ')})`);
}

/** What the executor answered. */
function describeAnswer({ type, payload }: { readonly type: string; readonly payload: JsonObject }): string {
  const answer = payload['result'] ?? payload['error'];
  return type === 'answered' && answer !== undefined ? PLAIN.text(`: ${shownValue('answer', answer)}`) : '';
}

/** How much of a value is shown; all of it is in the records. */
const LONGEST = 500;

function shownValue(name: string, value: JsonValue | undefined): string {
  if (value === undefined) return 'nothing';
  const { [name]: hidden = null } = shortened(hideSecrets({ [name]: value }).value);
  const text = JSON.stringify(hidden);
  return text.length > LONGEST ? `${text.slice(0, LONGEST).toWellFormed()}…` : text;
}

/** With no more of a salted hash than tells it from others. */
function shortened<Value extends JsonObject>(value: Value): Value {
  const text = JSON.stringify(value).replaceAll(/"hidden:([\da-f]{8})[\da-f]{56}"/g, '"hidden:$1…"');
  return JSON.parse(text) as Value;
}

function describeSessionStep({ envelope }: EvidenceRecord): string {
  const { verb, about, said } = describeMessage(envelope as unknown as MacpEnvelope);
  const what = `${verb}${about === '' ? '' : ` ${PLAIN.text(about)}`}`;
  return said === '' ? what : `${what}: “${PLAIN.text(said)}”`;
}
