import { defined, type JsonObject } from '@proffer/core/json';
import { MACP_VERSION, type MacpEnvelope, SIGNAL } from '@proffer/core/negotiation';
import { newId } from '../connection/new-id.js';
import { type Content, encodeContent } from './bytes.js';

/** A message to current listeners, outside any session. */
export interface Signal {
  /** The type of the signal; not empty. */
  readonly type: string;
  readonly data?: Content;
  /** From 0 to 1. */
  readonly confidence?: number;
  /** The related session. */
  readonly correlationSessionId?: string;
  readonly sender?: string;
}

/** A new message with a signal. */
export function signalEnvelope(signal: Signal, defaultSender: string): MacpEnvelope {
  return {
    macp_version: MACP_VERSION,
    mode: '',
    message_type: SIGNAL,
    message_id: newId(),
    session_id: '',
    sender: signal.sender ?? defaultSender,
    timestamp_unix_ms: Date.now(),
    payload: signalPayload(signal),
  };
}

/** A signal's payload in its wire form. */
function signalPayload({ type, data, confidence, correlationSessionId }: Signal): JsonObject {
  return {
    signal_type: type,
    ...(data === undefined ? {} : { data: encodeContent(data) }),
    ...defined({ confidence, correlation_session_id: correlationSessionId }),
  };
}
