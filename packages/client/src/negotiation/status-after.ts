import {
  isFinal,
  type MacpEnvelope,
  type ModeDescriptor,
  type SessionStatus,
} from '@proffer/core/negotiation';

/**
 * The state of a session after this message was accepted; undefined if it does not change.
 *
 * @param descriptor - of a registered mode, which may end with messages of its own (N-31)
 */
export function statusAfter(
  { message_type }: Pick<MacpEnvelope, 'message_type'>,
  descriptor?: ModeDescriptor,
): SessionStatus | undefined {
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
      return descriptor?.terminal_message_types.includes(message_type) === true ? 'RESOLVED' : undefined;
  }
}

/** Whether nothing can follow this message. */
export function endsSession(
  envelope: Pick<MacpEnvelope, 'message_type'>,
  descriptor?: ModeDescriptor,
): boolean {
  const status = statusAfter(envelope, descriptor);
  return status !== undefined && isFinal(status);
}
