import { RUNTIME_SERVICE } from '@proffer/wire';

/**
 * The constant answer of servers without rules to every `Send`.
 *
 * @param room - bytes to reserve in front of it. Default: none
 */
export function ackBytes(room = 0): Buffer {
  const ack = {
    ok: true,
    duplicate: false,
    message_id: 'message-1000',
    session_id: '00000000-0000-4000-8000-000000000000',
    accepted_at_unix_ms: 1_700_000_000_000,
    session_state: 'OPEN',
  } as const;
  return RUNTIME_SERVICE.send.response.write({ ack }, room);
}
