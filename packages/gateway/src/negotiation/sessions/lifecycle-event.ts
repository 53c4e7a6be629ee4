import { endingOf, type SessionRecord } from '@proffer/core/negotiation';
import type { SessionLifecycleEvent } from '../runtime.js';

/** The session event of a record. */
export function lifecycleEventOf(record: SessionRecord): SessionLifecycleEvent['event_type'] | undefined {
  switch (record.type) {
    case 'session_started':
      return 'CREATED';
    case 'message_accepted':
      return endingOf(record) === undefined ? undefined : 'RESOLVED';
    case 'session_suspended':
      return 'SUSPENDED';
    case 'session_resumed':
      return 'RESUMED';
    case 'session_cancelled':
      return 'CANCELLED';
    case 'session_expired':
      return 'EXPIRED';
  }
}
