import { isCommitment } from '../wire/session-messages.js';
import type { SessionRecord } from './records.js';
import { RUNTIME } from './session-caller.js';

/** How a session ended, as its readers see it. */
export type SessionEnding = {
  readonly at_unix_ms: number;
  /** Who committed or cancelled; the runtime for an expired session. */
  readonly by: string;
  /** In their words; for the last message of a registered mode, its type. */
  readonly reason: string;
  /** What was committed: an agreement, or that there is none. Absent without a commitment. */
  readonly outcome_positive?: boolean;
};

/** How this record ended its session; `undefined` if the session continued (N-4). */
export function endingOf(record: SessionRecord): SessionEnding | undefined {
  const at_unix_ms = record.time;
  switch (record.type) {
    case 'session_cancelled': {
      const { cancelled_by: by, reason } = record.envelope.payload;
      return { at_unix_ms, by, reason };
    }
    case 'session_expired':
      return { at_unix_ms, by: RUNTIME, reason: 'The session expired.' };
    case 'message_accepted': {
      const { envelope } = record;
      const { sender: by, message_type } = envelope;
      if (isCommitment(envelope)) {
        const { reason, outcome_positive } = envelope.payload;
        return { at_unix_ms, by, reason, outcome_positive };
      }
      return record.facts?.ends_session === true ? { at_unix_ms, by, reason: message_type } : undefined;
    }
    default:
      return undefined;
  }
}
