import { MACP_VERSION, type MacpEnvelope } from '../wire/macp-envelope.js';
import type { RuntimePayloads } from '../wire/payloads.js';
import type { Session } from './session.js';
import { RUNTIME } from './session-caller.js';

const ID_PREFIX = 'runtime:';

/**
 * An envelope that only the runtime writes (N-4). Its id is derived from the session and its future
 * sequence number, so deciding twice gives the same.
 */
export function runtimeEnvelope<Type extends keyof RuntimePayloads>(
  session: Session,
  now: number,
  message_type: Type,
  payload: RuntimePayloads[Type],
): MacpEnvelope<Type, RuntimePayloads[Type]> {
  return {
    macp_version: MACP_VERSION,
    mode: session.mode,
    message_type,
    message_id: `${ID_PREFIX}${session.id}:${session.version + 1}`,
    session_id: session.id,
    sender: RUNTIME,
    timestamp_unix_ms: now,
    payload,
  };
}

/** True for ids reserved for the runtime; a client that used one would hide the runtime's message. */
export function isRuntimeMessageId(messageId: string): boolean {
  return messageId.startsWith(ID_PREFIX);
}
