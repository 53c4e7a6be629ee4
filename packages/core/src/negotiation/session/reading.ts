import { failure, type Result, success } from '../../refusal/refusal.js';
import type { ModeDescriptor } from '../mode-descriptors/descriptor.js';
import { modeOf } from '../modes/registry.js';
import type { PolicyRules } from '../policy/policy-rules.js';
import { checkAllowedMode } from './check-address.js';
import type { SessionEnding } from './ending.js';
import { refuseUnknownSession } from './refusals.js';
import { expiresAfter, type Session, type SessionState, type SessionStatus, statusAt } from './session.js';
import { mayUseMode, type SessionCaller } from './session-caller.js';

/** What determines who may read a session. */
type Readable = Pick<Session, 'terms' | 'mode' | 'declared' | 'startedBy'>;

/**
 * N-8: a session may be read by its initiator, its participants, those who may commit, those who may
 * act for one of them, and observers; with a token that is valid for its mode. If everyone may act for
 * anyone, as in dev mode, that would be everyone: then it is who takes part, and the caller that
 * started it.
 */
export function mayRead(session: Readable, caller: SessionCaller): boolean {
  return mayUseMode(caller, session.mode) && isConcerned(session, caller);
}

function isConcerned(session: Readable, caller: SessionCaller): boolean {
  const names = readingNames(caller);
  const mode = modeOf(session);
  if (names === 'anyone' || (caller.actAs === 'anyone' && caller.name === session.startedBy)) return true;
  return names.some((name) => mode.takesPart(session.terms, name));
}

/**
 * Whether a caller learns that a session was removed (N-28). Nothing says any more who took part, so it is for those who
 * may read every session, or act for everyone who could have taken part. For others it does not exist (N-8).
 */
export function mayKnowRemoved(caller: SessionCaller): boolean {
  return caller.actAs === 'anyone' || readingNames(caller) === 'anyone';
}

/** Everyone who may send anything in a session, each once. */
export function namesTakingPart(session: Pick<Session, 'terms' | 'mode' | 'declared'>): ReadonlySet<string> {
  return modeOf(session).namesTakingPart(session.terms);
}

/** The names whose sessions a caller may read; `anyone` if it may read all of them. */
export function readingNames({
  name,
  actAs = [],
  isObserver = false,
}: SessionCaller): 'anyone' | readonly string[] {
  if (isObserver) return 'anyone';
  return actAs === 'anyone' ? [name] : [name, ...actAs];
}

/**
 * The session, for someone who may read it. For outsiders it does not exist: refuses with
 * `SESSION_NOT_FOUND`, with the same message as for an unknown session. Refuses a token that is not
 * valid for its mode with `FORBIDDEN`.
 */
export function readableSession(
  state: SessionState,
  caller: SessionCaller,
  sessionId: string,
): Result<Session> {
  if (state?.id !== sessionId || !isConcerned(state, caller)) {
    return failure(refuseUnknownSession(sessionId));
  }
  const refused = checkAllowedMode(caller, state.mode);
  return refused === undefined ? success(state) : failure(refused);
}

/** What one sender has done, with wire names. */
export type ParticipantActivity = {
  readonly participant_id: string;
  readonly last_message_at_unix_ms: number;
  readonly message_count: number;
};

/** The result of `GetSession`. */
export type SessionMetadata = {
  readonly session_id: string;
  readonly mode: string;
  readonly state: SessionStatus;
  readonly started_at_unix_ms: number;
  /**
   * The last moment before it expires, or expired. A suspended session has none, since its clock is
   * stopped: this is when it would expire if it were resumed now.
   */
  readonly expires_at_unix_ms: number;
  readonly mode_version: string;
  readonly configuration_version: string;
  readonly policy_version: string;
  readonly participants: readonly string[];
  /** Sorted by name. */
  readonly participant_activity: readonly ParticipantActivity[];
  readonly initiator: string;
  readonly context_id: string;
  readonly extension_keys: readonly string[];
  /** The start of its intent. This and what follows: over HTTP only, gRPC has no fields for it. */
  readonly intent?: string;
  /** Accepted envelopes, including those of the runtime. */
  readonly message_count?: number;
  /** Once it has ended. */
  readonly ending?: SessionEnding;
  /** For a single session, not in lists: the rules that it keeps, whatever happens to its policy (N-13). */
  readonly rules?: PolicyRules;
  /** For a single session in a registered mode: how that was described when it was started (N-31). */
  readonly mode_descriptor?: ModeDescriptor;
};

/** Describes a session at a moment. */
export function describeSession(session: Session, now: number): SessionMetadata {
  return {
    session_id: session.id,
    mode: session.mode,
    state: statusAt(session, now),
    started_at_unix_ms: session.startedAt,
    expires_at_unix_ms: expiryAt(session, now),
    mode_version: session.modeVersion,
    configuration_version: session.configurationVersion,
    policy_version: session.policyVersion,
    participants: [...session.terms.participants],
    participant_activity: [...session.activity]
      .map(([participant_id, { lastAt, messages }]) => ({
        participant_id,
        last_message_at_unix_ms: lastAt,
        message_count: messages,
      }))
      .sort((left, right) => (left.participant_id < right.participant_id ? -1 : 1)),
    initiator: session.terms.initiator,
    context_id: session.contextId,
    extension_keys: session.extensionKeys,
    intent: session.intent,
    message_count: session.version,
    ...(session.ending === undefined ? {} : { ending: session.ending }),
  };
}

function expiryAt(session: Session, now: number): number {
  const { suspension, deadline } = session;
  if (suspension !== undefined && statusAt(session, now) === 'SUSPENDED') return now + suspension.bankedMs;
  return expiresAfter(session) ?? deadline;
}
