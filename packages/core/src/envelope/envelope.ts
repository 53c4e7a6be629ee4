import type { JsonObject } from '../json/json.js';

/** The protocol of the canonical form. */
export const PROTOCOL = 'mcpx/v0.1';

/** The name under which the gateway itself speaks. No participant can have it. */
export const GATEWAY = 'system:gateway';

/**
 * A message in canonical form (O-1): checked, complete, and the only form used past the edge. Created
 * by {@link decodeEnvelope}.
 */
export type Envelope = {
  readonly protocol: typeof PROTOCOL;
  /**
   * 1 to 128 visible characters, unique in the space (O-3). Only the gateway's own ids start with
   * `system:`.
   */
  readonly id: string;
  /** RFC 3339; the sender's claim. Nothing is decided by it. */
  readonly ts: string;
  /** The authenticated participant (O-2). */
  readonly from: string;
  /** Up to 1000 addressees, each once; absent or empty means everyone. */
  readonly to?: readonly string[];
  /** `PROTOCOL.OPERATION[.METHOD[:CONTEXT]]`. */
  readonly kind: string;
  /** The id of the message that this one is about; several, up to 1000, only if the kind allows it. */
  readonly correlationId?: string | readonly string[];
  /** A thread, as mew clients name it, of at most 512 characters; carried, never interpreted. */
  readonly context?: string;
  readonly payload: JsonObject;
};

/** The ids that a message refers to, as a list. */
export function correlationIds(envelope: Envelope): readonly string[] {
  const { correlationId } = envelope;
  if (correlationId === undefined) return [];
  return typeof correlationId === 'string' ? [correlationId] : correlationId;
}
