import type { JsonObject } from '@proffer/core/json';
import { type Content, encodeContent } from './bytes.js';

/** A message to current listeners, apart from any session. */
export interface Signal {
  /** What it is about; not empty. */
  readonly type: string;
  readonly data?: Content;
  /** From 0 to 1. */
  readonly confidence?: number;
  /** A session that it has to do with. */
  readonly correlationSessionId?: string;
  readonly sender?: string;
}

/** The payload of a signal as it travels. */
export function signalPayload({ type, data, confidence, correlationSessionId }: Signal): JsonObject {
  return {
    signal_type: type,
    ...(data === undefined ? {} : { data: encodeContent(data) }),
    ...(confidence === undefined ? {} : { confidence }),
    ...(correlationSessionId === undefined ? {} : { correlation_session_id: correlationSessionId }),
  };
}
