import { isFinal, type MacpEnvelope, type SessionStatus } from '@proffer/core/negotiation';

/** The state that a session is in once this message was accepted; undefined where it stays as it is. */
export function statusAfter({ message_type }: Pick<MacpEnvelope, 'message_type'>): SessionStatus | undefined {
  switch (message_type) {
    case 'SessionStart':
    case 'SessionResume':
      return 'OPEN';
    case 'SessionSuspend':
      return 'SUSPENDED';
    case 'SessionCancel':
      return 'CANCELLED';
    case 'TtlExpired':
      return 'EXPIRED';
    case 'Commitment':
      return 'RESOLVED';
    default:
      return undefined;
  }
}

/** Whether nothing can come after this message. */
export function endsSession(envelope: Pick<MacpEnvelope, 'message_type'>): boolean {
  const status = statusAfter(envelope);
  return status !== undefined && isFinal(status);
}
