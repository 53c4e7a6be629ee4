import { isFinal, type MacpEnvelope, type SessionStatus } from '@proffer/core/negotiation';

/** The state of a session after this message was accepted; undefined if it does not change. */
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

/** Whether nothing can follow this message. */
export function endsSession(envelope: Pick<MacpEnvelope, 'message_type'>): boolean {
  const status = statusAfter(envelope);
  return status !== undefined && isFinal(status);
}
