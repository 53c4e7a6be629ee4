import type { RecordContent } from '../../record/record.js';
import type { ModeDescriptor } from '../mode-descriptors/descriptor.js';
import type { PolicyRules } from '../policy/policy-rules.js';
import type { MacpEnvelope } from '../wire/macp-envelope.js';
import type { SessionMessage } from '../wire/session-messages.js';

/** A session was started. The rules are in the record, so that replaying it needs no registry (N-13). */
export type SessionStarted = RecordContent & {
  readonly type: 'session_started';
  readonly envelope: SessionMessage<'SessionStart'>;
  readonly facts: {
    /** For a registered mode: how it was described then, so that replaying the session needs no registry (N-31). */
    readonly mode_descriptor?: ModeDescriptor;
    readonly policy_id: string;
    readonly rules: PolicyRules;
    readonly max_suspended_ms: number;
    /** For a registered policy: the built-in one whose rules apply where it says nothing. */
    readonly defaults_from?: string;
  };
};

/**
 * A message of the session's mode was accepted, with its payload parsed; after a Commitment the
 * session is RESOLVED, and after any message that its registered mode ends with.
 */
export type MessageAccepted = RecordContent & {
  readonly type: 'message_accepted';
  readonly envelope: MacpEnvelope;
  /** Only for what ends a session and is no Commitment. */
  readonly facts?: { readonly ends_session: true };
};

/** The initiator ended the session without an outcome. */
export type SessionCancelled = RecordContent & {
  readonly type: 'session_cancelled';
  readonly envelope: SessionMessage<'SessionCancel'>;
};

/** The session accepts no messages until it is resumed, and its time does not run. */
export type SessionSuspended = RecordContent & {
  readonly type: 'session_suspended';
  readonly envelope: SessionMessage<'SessionSuspend'>;
  /** The session's remaining time. */
  readonly facts: { readonly banked_ms: number };
};

/** The session is open again, with the time it had left. */
export type SessionResumed = RecordContent & {
  readonly type: 'session_resumed';
  readonly envelope: SessionMessage<'SessionResume'>;
  /** The session's remaining time from now, and how long this suspension was. */
  readonly facts: { readonly banked_ms: number; readonly suspended_ms: number };
};

/** The session expired; no one asked for it. */
export type SessionExpired = RecordContent & {
  readonly type: 'session_expired';
  readonly envelope: SessionMessage<'TtlExpired'>;
};

/** Everything that can happen to a session. Its sequence number is the record's version in its stream. */
export type SessionRecord =
  | SessionStarted
  | MessageAccepted
  | SessionCancelled
  | SessionSuspended
  | SessionResumed
  | SessionExpired;
