import { type MacpCode, refusalRow } from '@proffer/core';
import { defined, type JsonObject, objectOf } from '@proffer/core/json';

/**
 * Why something could not be done: a code of the MACP wire, or
 *
 * - `UNAVAILABLE`: the gateway cannot be reached, or cannot record anything now.
 * - `TIMED_OUT`: there was no answer in the given time.
 * - `UNSUPPORTED`: this gateway, or this transport, has no such call, or its answer is not
 *   understood.
 */
export type MacpErrorCode = MacpCode | 'UNAVAILABLE' | 'TIMED_OUT' | 'UNSUPPORTED';

/** What is known about a failure besides its code and message. */
export interface MacpErrorContext {
  readonly sessionId?: string;
  readonly messageId?: string;
  readonly details?: JsonObject;
  readonly cause?: unknown;
}

/** A negotiation call was refused, or did not get through. Decide by `code`; `details` has the facts. */
export class MacpError extends Error {
  override readonly name = 'MacpError';
  readonly code: MacpErrorCode;
  /** Whether the very same message, under the same id, may be accepted later unchanged. */
  readonly retryable: boolean;
  readonly sessionId?: string;
  readonly messageId?: string;
  /** For an invalid field: `field`, `found`, `expected`; for `POLICY_DENIED`: `reasons`. */
  readonly details: JsonObject;

  constructor(code: MacpErrorCode, message: string, context: MacpErrorContext = {}) {
    super(message, defined({ cause: context.cause }));
    this.code = code;
    this.retryable = code === 'UNAVAILABLE' || code === 'TIMED_OUT' || refusalRow(code)?.retryable === true;
    this.details = context.details ?? {};
    if (context.sessionId !== undefined) this.sessionId = context.sessionId;
    if (context.messageId !== undefined) this.messageId = context.messageId;
  }
}

/**
 * The error for a code from the wire. An unknown code, from a newer gateway, becomes `UNSUPPORTED`
 * with the code in its details.
 */
export function macpError(code: string, message: string, context: MacpErrorContext = {}): MacpError {
  const known = macpCode(code);
  if (known !== undefined) return new MacpError(known, message, context);
  return new MacpError('UNSUPPORTED', message, { ...context, details: { ...context.details, code } });
}

/** Maps a code of operations or of negotiations to a MACP code. */
function macpCode(code: string): MacpErrorCode | undefined {
  if (code === 'UNAVAILABLE' || code === 'unavailable') return 'UNAVAILABLE';
  if (code === 'TIMED_OUT' || code === 'UNSUPPORTED') return code;
  return code === 'unknown_route' ? 'UNSUPPORTED' : refusalRow(code)?.macp;
}

/** Whether there was no usable answer, so that another gateway may have one. */
export function isGone(error: unknown): boolean {
  return error instanceof MacpError && (error.code === 'UNAVAILABLE' || error.code === 'TIMED_OUT');
}

/** Milliseconds that the gateway asks us to wait, if it does. */
export function retryAfterOf({ details }: MacpError): number | undefined {
  const wait = objectOf(details)['retry_after_ms'];
  return typeof wait === 'number' && wait >= 0 ? wait : undefined;
}
