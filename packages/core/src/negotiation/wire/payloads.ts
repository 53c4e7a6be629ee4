import type { JsonObject } from '../../json/json.js';
import { failure, type Result, success } from '../../refusal/refusal.js';
import { name } from './identifiers.js';
import {
  bytes,
  type FieldReader,
  filledText,
  flag,
  listOf,
  mapOf,
  messageOf,
  optional,
  read,
  text,
  wholeNumber,
} from './readers.js';
import { refuseField } from './refuse-field.js';

/** The longest life of a session without suspensions, in milliseconds: one day (N-1). */
export const MAX_TTL_MS = 86_400_000;

/** The longest that a session may ask to be suspended, in milliseconds: a year. */
const MAX_SUSPEND_MS = 365 * 86_400_000;

/** How many participants a session may declare (N-1). */
export const MAX_PARTICIPANTS = 1000;

/** Where a session may look for context; carried, never interpreted. */
export type Root = { readonly uri: string; readonly name: string };

/** The terms of a session's start (N-1). */
export type SessionStartPayload = {
  readonly intent: string;
  readonly participants: readonly string[];
  readonly mode_version: string;
  readonly configuration_version: string;
  /** Empty means `policy.default`. */
  readonly policy_version: string;
  readonly ttl_ms: number;
  readonly roots: readonly Root[];
  readonly context_id: string;
  /** Base64 by key; kept verbatim, never interpreted. */
  readonly extensions: JsonObject;
  /** How long all suspensions together may last, in milliseconds. Absent: the runtime's limit. */
  readonly max_suspend_ms?: number | undefined;
};

/** An earlier commitment, from another session, that this one replaces. */
export type CommitmentRef = { readonly session_id: string; readonly commitment_hash: string };

/** The outcome. Its versions must equal the session's. */
export type CommitmentPayload = {
  readonly commitment_id: string;
  readonly action: string;
  readonly authority_scope: string;
  readonly reason: string;
  readonly mode_version: string;
  readonly policy_version: string;
  readonly configuration_version: string;
  readonly outcome_positive: boolean;
  readonly supersedes?: CommitmentRef | undefined;
};

/** The initiator ended the session. */
export type SessionCancelPayload = { readonly reason: string; readonly cancelled_by: string };

/** The initiator suspended the session. */
export type SessionSuspendPayload = { readonly reason: string; readonly suspended_by: string };

/** The initiator resumed the session. */
export type SessionResumePayload = {
  readonly reason: string;
  readonly resumed_by: string;
  /** The session's remaining time when it was suspended, in milliseconds. */
  readonly banked_ms: number;
};

/** No content. */
export type EmptyPayload = Readonly<Record<string, never>>;

/** The payload of each message that a client may send in every mode. */
export type CommonPayloads = {
  readonly SessionStart: SessionStartPayload;
  readonly Commitment: CommitmentPayload;
};

/** The payload of each message that only the runtime writes (N-4). */
export type RuntimePayloads = {
  readonly SessionCancel: SessionCancelPayload;
  readonly SessionSuspend: SessionSuspendPayload;
  readonly SessionResume: SessionResumePayload;
  readonly TtlExpired: EmptyPayload;
};

/** The readers of some messages, by type. */
export type PayloadReaders<Payloads> = { readonly [Type in keyof Payloads]: FieldReader<Payloads[Type]> };

/** What the participants of a session have to be, for a refusal. */
export const PARTICIPANTS = `1 to ${MAX_PARTICIPANTS} different names`;

const uniqueNames: FieldReader<readonly string[]> = (found, path) => {
  const names = listOf(name)(found, path);
  if (!names.ok) return names;
  const count = names.value.length;
  const unique = new Set(names.value).size;
  if (count <= MAX_PARTICIPANTS && unique === count) return names;
  const problem = unique === count ? `${count} names` : `${count - unique} duplicate names`;
  const expected = PARTICIPANTS;
  return { ok: false, problem: { field: path.join('.'), found: problem, expected } };
};

const bounded = wholeNumber(0, MAX_SUSPEND_MS);

/** On the wire, 0 is no limit of its own: left out, as in records from before there was one. */
const maxSuspendMs: FieldReader<number | undefined> = (found, path) => {
  const reading = bounded(found, path);
  return reading.ok && reading.value === 0 ? read(undefined) : reading;
};

/** The readers of messages that are the same in every mode. */
export const COMMON_READERS: PayloadReaders<CommonPayloads & RuntimePayloads> = {
  SessionStart: messageOf<SessionStartPayload>({
    intent: filledText,
    participants: uniqueNames,
    mode_version: filledText,
    configuration_version: filledText,
    policy_version: text,
    ttl_ms: wholeNumber(1, MAX_TTL_MS),
    roots: listOf(messageOf<Root>({ uri: filledText, name: text })),
    context_id: text,
    extensions: mapOf(bytes),
    max_suspend_ms: maxSuspendMs,
  }),
  Commitment: messageOf<CommitmentPayload>({
    commitment_id: filledText,
    action: filledText,
    authority_scope: filledText,
    reason: filledText,
    mode_version: text,
    policy_version: text,
    configuration_version: text,
    outcome_positive: flag,
    supersedes: optional(messageOf<CommitmentRef>({ session_id: filledText, commitment_hash: filledText })),
  }),
  SessionCancel: messageOf<SessionCancelPayload>({ reason: text, cancelled_by: text }),
  SessionSuspend: messageOf<SessionSuspendPayload>({ reason: text, suspended_by: text }),
  SessionResume: messageOf<SessionResumePayload>({
    reason: text,
    resumed_by: text,
    banked_ms: wholeNumber(0, Number.MAX_SAFE_INTEGER),
  }),
  TtlExpired: messageOf<EmptyPayload>({}),
};

const PAYLOAD = ['payload'] as const;

/**
 * Checks the payload of a message and fills in unset fields. Unknown fields are ignored. Refuses with
 * `INVALID_ENVELOPE`, naming the field, what was found and what was expected.
 */
export function readPayload<Payload>(reader: FieldReader<Payload>, payload: JsonObject): Result<Payload> {
  const reading = reader(payload, PAYLOAD);
  return reading.ok ? success(reading.value) : failure(refuseField('INVALID_ENVELOPE', reading.problem));
}
