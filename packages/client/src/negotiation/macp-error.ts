import { type JsonObject, objectOf } from '@proffer/core/json';

const CODES = [
  // The codes of the wire.
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'SESSION_NOT_FOUND',
  'SESSION_NOT_OPEN',
  'SESSION_ALREADY_EXISTS',
  'DUPLICATE_MESSAGE',
  'INVALID_ENVELOPE',
  'INVALID_SESSION_ID',
  'UNSUPPORTED_PROTOCOL_VERSION',
  'MODE_NOT_SUPPORTED',
  'PAYLOAD_TOO_LARGE',
  'RATE_LIMITED',
  'UNKNOWN_POLICY_VERSION',
  'POLICY_DENIED',
  'INVALID_POLICY_DEFINITION',
  'INTERNAL_ERROR',
  // What can be wrong on the way there.
  'UNAVAILABLE',
  'TIMED_OUT',
  'UNSUPPORTED',
] as const;

/**
 * Why something could not be done: a code of the MACP wire, or
 *
 * - `UNAVAILABLE`: the gateway cannot be reached, or cannot record anything now.
 * - `TIMED_OUT`: there was no answer in the time that was given.
 * - `UNSUPPORTED`: this gateway, or this transport, has no such call, or its answer is not understood.
 */
export type MacpErrorCode = (typeof CODES)[number];

/** Codes of the gateway's other planes that an HTTP answer may have, and what they are here. */
const OTHER_WORDS: ReadonlyMap<string, MacpErrorCode> = new Map([
  ['unauthenticated', 'UNAUTHENTICATED'],
  ['rate_limited', 'RATE_LIMITED'],
  ['too_many_connections', 'RATE_LIMITED'],
  ['too_large', 'PAYLOAD_TOO_LARGE'],
  ['unavailable', 'UNAVAILABLE'],
  ['unknown_route', 'UNSUPPORTED'],
  ['invalid_json', 'INVALID_ENVELOPE'],
  ['invalid_field', 'INVALID_ENVELOPE'],
  ['missing_field', 'INVALID_ENVELOPE'],
  ['too_deep', 'INVALID_ENVELOPE'],
]);

/** A fault of the runtime recorded nothing, so the same message may be sent again. */
const PASSING: ReadonlySet<MacpErrorCode> = new Set([
  'UNAVAILABLE',
  'TIMED_OUT',
  'RATE_LIMITED',
  'INTERNAL_ERROR',
]);

/** What is known about a failure besides its code and its sentence. */
export interface MacpErrorContext {
  readonly sessionId?: string;
  readonly messageId?: string;
  readonly details?: JsonObject;
  readonly cause?: unknown;
}

/** Something in a negotiation was refused, or could not be asked. Decide by `code`; `details` has the facts. */
export class MacpError extends Error {
  override readonly name = 'MacpError';
  readonly code: MacpErrorCode;
  /** Whether the very same message, under the same id, may be accepted later without any change to it. */
  readonly retryable: boolean;
  readonly sessionId?: string;
  readonly messageId?: string;
  /** Where a field is at fault: `field`, `found`, `expected`; for `POLICY_DENIED`: `reasons`. */
  readonly details: JsonObject;

  constructor(code: MacpErrorCode, message: string, context: MacpErrorContext = {}) {
    super(message, context.cause === undefined ? {} : { cause: context.cause });
    this.code = code;
    this.retryable = PASSING.has(code);
    this.details = context.details ?? {};
    if (context.sessionId !== undefined) this.sessionId = context.sessionId;
    if (context.messageId !== undefined) this.messageId = context.messageId;
  }
}

/**
 * The error for a code that came over the wire. An unknown code, of a newer gateway, becomes `UNSUPPORTED` with the
 * code in its details.
 */
export function macpError(code: string, message: string, context: MacpErrorContext = {}): MacpError {
  const known = CODES.find((candidate) => candidate === code) ?? OTHER_WORDS.get(code);
  if (known !== undefined) return new MacpError(known, message, context);
  return new MacpError('UNSUPPORTED', message, { ...context, details: { ...context.details, code } });
}

/** Whether there was no answer, or none that can be used, so that another gateway may have one. */
export function isGone(error: unknown): boolean {
  return error instanceof MacpError && (error.code === 'UNAVAILABLE' || error.code === 'TIMED_OUT');
}

/** Milliseconds that the gateway asks us to wait, if it does. */
export function retryAfterOf({ details }: MacpError): number | undefined {
  const wait = objectOf(details)['retry_after_ms'];
  return typeof wait === 'number' && wait >= 0 ? wait : undefined;
}
