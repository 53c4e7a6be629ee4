import type { VersionedMap } from '../../collections/versioned-map.js';
import type { ModeDescriptor } from '../mode-descriptors/descriptor.js';
import type { Terms } from '../modes/terms.js';
import type { SessionEnding } from './ending.js';

/** The states of a session (N-4); the last three are final. */
export type SessionStatus = 'OPEN' | 'SUSPENDED' | 'RESOLVED' | 'EXPIRED' | 'CANCELLED';

/** What one sender has done in a session. */
export type Activity = {
  readonly messages: number;
  /** Milliseconds since 1970, on the runtime's clock. */
  readonly lastAt: number;
};

/** An accepted message: what a repeat of it is answered with (N-6). */
export type AcceptedMessage = {
  readonly sender: string;
  /** The content of the message ({@link contentOf}): another message under its id is not a repeat. */
  readonly content: number;
  readonly sequence: number;
  /** Milliseconds since 1970, on the runtime's clock. */
  readonly acceptedAt: number;
};

/** A current suspension. */
export type Suspension = {
  readonly since: number;
  /** The session's remaining time, in milliseconds. */
  readonly bankedMs: number;
};

/** How much of an intent is kept in memory, in UTF-16 units; the journal has all of it. */
export const LONGEST_INTENT = 500;

/** One session, folded from its records. */
export interface Session {
  readonly id: string;
  readonly mode: string;
  /** How its mode was described when it was started, if it is a registered one (N-31). */
  readonly declared?: ModeDescriptor | undefined;
  readonly modeVersion: string;
  readonly configurationVersion: string;
  /** The id of the policy that applies, never empty. */
  readonly policyVersion: string;
  /** The `policy_version` it was started with; empty if none was named. */
  readonly namedPolicy: string;
  /** The intent of the session, or the start of it: at most {@link LONGEST_INTENT} characters are kept. */
  readonly intent: string;
  readonly contextId: string;
  readonly extensionKeys: readonly string[];
  readonly terms: Terms;
  /** Who was authenticated when it was started; the initiator, or someone who may speak for it. */
  readonly startedBy: string;
  readonly startedAt: number;
  /** As recorded; {@link statusAt} takes the current time into account. */
  readonly status: SessionStatus;
  /** Once it has ended: who ended it, and why. */
  readonly ending?: SessionEnding | undefined;
  /** When its time started to run: when it was started or last resumed. */
  readonly openedAt: number;
  /**
   * The last moment at which an open session accepts messages (N-5); for an expired one, its last
   * moment.
   */
  readonly deadline: number;
  readonly suspension?: Suspension | undefined;
  /** How long the session was suspended, all completed suspensions together. */
  readonly suspendedMs: number;
  readonly maxSuspendedMs: number;
  /** The number of records, and the sequence number of the last accepted message (N-6). */
  readonly version: number;
  /** Every message a client sent, by its id. */
  readonly messages: VersionedMap<AcceptedMessage>;
  readonly activity: VersionedMap<Activity>;
  /** The state of its mode, which only the mode looks into. */
  readonly negotiation: unknown;
}

/** A session, or nothing before it was started. */
export type SessionState = Session | undefined;

/** True for final states. */
export function isFinal(status: SessionStatus): boolean {
  return status !== 'OPEN' && status !== 'SUSPENDED';
}

/**
 * The last moment before the session expires: its deadline, or while it is suspended, when the
 * suspensions reach their cap. `undefined` for a session that has ended.
 */
export function expiresAfter(session: Session): number | undefined {
  if (isFinal(session.status)) return undefined;
  const { suspension, suspendedMs, maxSuspendedMs } = session;
  return suspension === undefined ? session.deadline : suspension.since + maxSuspendedMs - suspendedMs;
}

/** The state of a session at a moment, even if its expiry is not recorded yet (N-5). */
export function statusAt(session: Session, now: number): SessionStatus {
  const end = expiresAfter(session);
  return end !== undefined && now > end ? 'EXPIRED' : session.status;
}
