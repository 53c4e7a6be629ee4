import type { JsonObject } from '../json/json.js';
import { failure, type Result, success } from '../refusal/refusal.js';
import { checkKind } from './check-kind.js';
import { correlationIds, type Envelope } from './envelope.js';
import { type Fault, refuseFault, type Spelling } from './fault.js';
import { checkFrame } from './frame.js';
import { parseKind } from './kind.js';
import { payloadCheck } from './kinds.js';
import { CompletedMessage } from './written.js';

/** What the gateway knows about a message that is not in it. */
export interface SendingContext {
  /**
   * The authenticated name of the sender (O-2). Only the gateway, under its own name, may send
   * `system.*`.
   */
  readonly from: string;
  /** When the message arrived, in milliseconds since 1970; for messages without a `ts`. */
  readonly now: number;
  /**
   * The id for a message without one; otherwise such a message is refused. Unlike an id in the message,
   * it may start with `system:`.
   */
  readonly fallbackId?: string;
}

/**
 * Checks a message in the canonical spelling and completes it (O-1, O-2): `protocol`, `id`, `ts` and
 * `from` are filled in if absent; unknown top-level fields are left out; everything else is kept as
 * sent.
 *
 * Refuses with `sender_mismatch`, `reserved_kind`, `kind_mismatch` (O-6), `missing_field` or
 * `invalid_field`, naming the field, what was found and what was expected (O-5).
 *
 * @param spelling - how the sender's dialect spells the faulty part; canonical by default
 */
export function validateEnvelope(
  message: JsonObject,
  sending: SendingContext,
  spelling?: Spelling,
): Result<Envelope> {
  const completed = new CompletedMessage(message, sending);
  const fault = checkFrame(completed, sending) ?? checkKind(completed['kind'], sending.from);
  if (fault !== undefined) return failure(refuseFault(fault, spelling));
  // Every field of the form has just been checked.
  const envelope = completed as JsonObject as Envelope;
  const payloadFault = checkPayload(envelope);
  return payloadFault === undefined ? success(envelope) : failure(refuseFault(payloadFault, spelling));
}

function checkPayload(envelope: Envelope): Fault | undefined {
  const kind = parseKind(envelope.kind);
  if (kind === undefined) return undefined;
  const { payload, to = [] } = envelope;
  return payloadCheck(envelope.kind, kind)?.({ kind, payload, to, correlationIds: correlationIds(envelope) });
}
