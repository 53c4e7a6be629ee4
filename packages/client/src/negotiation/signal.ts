import type { JsonObject } from '@proffer/core/json';
import { type Content, encodeContent } from './bytes.js';

/** A message to current listeners, outside any session. */
export interface Signal {
  /** Its type; not empty. */
  readonly type: string;
  readonly data?: Content;
  /** From 0 to 1. */
  readonly confidence?: number;
  /** The related session. */
  readonly correlationSessionId?: string;
  readonly sender?: string;
}

/** A signal's payload in its wire form. */
export function signalPayload({ type, data, confidence, correlationSessionId }: Signal): JsonObject {
  return {
    signal_type: type,
    ...(data === undefined ? {} : { data: encodeContent(data) }),
    ...(confidence === undefined ? {} : { confidence }),
    ...(correlationSessionId === undefined ? {} : { correlation_session_id: correlationSessionId }),
  };
}
