import { quote } from '../json/describe.js';
import { textOf } from '../json/fields.js';
import {
  findMode,
  hashCommitment,
  isCommitment,
  isSessionMessage,
  type MacpEnvelope,
  type ServedMode,
  type SessionRecord,
  type SessionStarted,
  type Terms,
} from '../negotiation/index.js';
import type { AgreedCall, AgreedOutcome, SessionAgreement } from '../operations/agreements/agreement.js';
import { failure, type Result, refuse, success } from '../refusal/refusal.js';
import { digestInScope, readAttachedCall, scopeOf } from './attached-call.js';

/** Whether a record of a session is a Commitment about a call: then {@link agreementOf} says what follows. */
export function isAboutCall(record: SessionRecord): boolean {
  const { envelope } = record;
  return isCommitment(envelope) && digestInScope(textOf(envelope.payload.authority_scope)) !== undefined;
}

/**
 * What a committed session decided about a call (N-32), from all of its records. The Commitment names the call by its
 * digest, and what was accepted contains it, so neither the committer nor a party can slip in another one. Refuses with
 * `no_agreement` what nobody, or not everybody, can have meant. `undefined` for a session without such a Commitment.
 */
export function agreementOf(records: readonly SessionRecord[]): Result<AgreedOutcome> | undefined {
  const [start] = records;
  const end = records.findIndex(isAboutCall);
  const committed = records[end];
  if (start?.type !== 'session_started' || committed === undefined) return undefined;
  const { envelope } = committed;
  if (!isCommitment(envelope)) return undefined;
  const { payload, sender: committer } = envelope;
  const noAgreement = (why: string) =>
    failure(
      refuse('no_agreement', why, { session: start.envelope.session_id, commitment: payload.commitment_id }),
    );
  const mode = findMode(start.envelope.mode);
  if (mode?.offers === undefined)
    return noAgreement(`${quote(start.envelope.mode)} has no offers that a call could be attached to.`);
  const session = replaySession(mode, start, records.slice(1, end));
  const { state, terms } = session;
  if (payload.supersedes !== undefined)
    return noAgreement('The commitment supersedes another one, and the call of that one may have run.');
  const isItself = (name: string): boolean => !session.spokenFor.has(name);
  if (committed.principal !== committer || !isItself(committer))
    return noAgreement(`${quote(committer)} was spoken for by somebody else.`);
  const call = digestInScope(payload.authority_scope);
  const meant = session.offers.filter((offer) => offer.digest === call);
  if (meant.length === 0)
    return (
      session.unreadable ?? noAgreement(`No offer has the call that ${quote(payload.authority_scope)} names.`)
    );
  const agreed = payload.outcome_positive
    ? meant.filter(({ id }) => mode.offers?.isAgreed(state, terms, id, committer))
    : meant.slice(-1);
  const [about] = agreed;
  if (about === undefined || agreed.length > 1)
    return noAgreement(
      `The offer with the call that ${quote(payload.authority_scope)} names is not the one that was agreed.`,
    );
  const names = [...mode.namesTakingPart(terms)].filter(isItself);
  const withPosition = (position: string): readonly string[] =>
    names.filter((name) => mode.offers?.positionOf(state, about.id, name) === position);
  const agreement: SessionAgreement = {
    session: envelope.session_id,
    mode: envelope.mode,
    policy: start.facts.policy_id,
    commitment: payload.commitment_id,
    commitmentHash: hashCommitment(payload),
    sequence: end + 1,
    committedBy: committer,
    at: committed.time,
    reason: payload.reason,
    positive: payload.outcome_positive,
    about: about.id,
    call: about.digest,
    accepted: withPosition('accepts'),
    rejected: withPosition('rejects'),
    abstained: withPosition('abstains'),
  };
  return success({ call: about.call, agreement });
}

/** The call attached to an offer of a session; refused if it cannot be read. `undefined` if it has none. */
export function callInOffer(
  transcript: readonly MacpEnvelope[],
  offer: string,
): Result<AgreedCall> | undefined {
  const [start] = transcript;
  const { offers } = (start === undefined ? undefined : findMode(start.mode)) ?? {};
  for (const message of transcript) {
    if (isSessionMessage(message)) continue;
    const read = offers?.read(message);
    if (read?.id === offer) return readAttachedCall(read.attachment);
  }
  return undefined;
}

/** A session as those who follow it see it. */
interface FollowedSession {
  readonly transcript: readonly MacpEnvelope[];
  readonly terms: Terms | undefined;
  /** Absent in modes without a state of their own. */
  readonly negotiation?: unknown;
}

/**
 * The `authority_scope` of a Commitment of what was agreed, or was not: the call of the one offer that it would be about.
 * `undefined` if there is no call, or several that it could be.
 */
export function scopeToCommit(
  { transcript, terms, negotiation }: FollowedSession,
  { committer, isPositive }: { readonly committer: string; readonly isPositive: boolean },
): string | undefined {
  const { offers } = findMode(transcript[0]?.mode ?? '') ?? {};
  const scopes: string[] = [];
  for (const message of transcript) {
    const offer = isSessionMessage(message) ? undefined : offers?.read(message);
    const call = offer && readAttachedCall(offer.attachment);
    if (terms === undefined || offer === undefined || call?.ok !== true) continue;
    if (isPositive && offers?.isAgreed(negotiation, terms, offer.id, committer) !== true) continue;
    scopes.push(scopeOf(call.value));
  }
  return !isPositive || new Set(scopes).size === 1 ? scopes.at(-1) : undefined;
}

interface CallOffer {
  readonly id: string;
  readonly digest: string;
  readonly call: AgreedCall;
}

type Failed = Extract<Result<AgreedCall>, { readonly ok: false }>;

interface ReplayedSession {
  readonly terms: Terms;
  readonly state: unknown;
  readonly offers: readonly CallOffer[];
  /** Why the last attachment that cannot be read is none. */
  readonly unreadable: Failed | undefined;
  /** Everyone in whose name somebody else sent something. */
  readonly spokenFor: ReadonlySet<string>;
}

/** The session as it was before its Commitment. */
function replaySession(
  mode: ServedMode,
  start: SessionStarted,
  records: readonly SessionRecord[],
): ReplayedSession {
  const { envelope, facts } = start;
  const participants = new Set(envelope.payload.participants);
  const terms = { initiator: envelope.sender, participants, rules: facts.rules };
  const offers: CallOffer[] = [];
  const spokenFor = new Set<string>();
  let unreadable: Failed | undefined;
  let state = mode.initial;
  for (const record of [start, ...records]) {
    if (record.type !== 'session_started' && record.type !== 'message_accepted') continue;
    const message: MacpEnvelope = record.envelope;
    if (record.principal !== message.sender) spokenFor.add(message.sender);
    if (record === start) continue;
    state = mode.apply(state, terms, message);
    const offer = mode.offers?.read(message);
    const call = offer === undefined ? undefined : readAttachedCall(offer.attachment);
    if (offer === undefined || call === undefined) continue;
    if (call.ok) offers.push({ id: offer.id, digest: digestOfCall(call.value), call: call.value });
    else unreadable = call;
  }
  return { terms, state, offers, unreadable, spokenFor };
}

function digestOfCall(call: AgreedCall): string {
  return digestInScope(scopeOf(call)) ?? '';
}
