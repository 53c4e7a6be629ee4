import { type ServiceError, status } from '@grpc/grpc-js';
import { type MacpError, type MacpErrorCode, macpError } from '../macp-error.js';

/** The meaning of a status if the runtime's message has no MACP code. */
const CODES: ReadonlyMap<number, MacpErrorCode> = new Map([
  [status.UNAVAILABLE, 'UNAVAILABLE'],
  // The runtime's own cancellation, not ours: it is stopping.
  [status.CANCELLED, 'UNAVAILABLE'],
  [status.DEADLINE_EXCEEDED, 'TIMED_OUT'],
  [status.UNAUTHENTICATED, 'UNAUTHENTICATED'],
  [status.PERMISSION_DENIED, 'FORBIDDEN'],
  [status.NOT_FOUND, 'SESSION_NOT_FOUND'],
  [status.INVALID_ARGUMENT, 'INVALID_ENVELOPE'],
  [status.FAILED_PRECONDITION, 'SESSION_NOT_OPEN'],
  [status.RESOURCE_EXHAUSTED, 'RATE_LIMITED'],
  [status.UNIMPLEMENTED, 'UNSUPPORTED'],
]);

/** The error for a call that ended with a status. The MACP code is in its message. */
export function errorFromStatus(error: ServiceError): MacpError {
  const { code, message } = readCoded(error.details);
  return macpError(code ?? CODES.get(error.code) ?? 'INTERNAL_ERROR', message, { cause: error });
}

/** The error for a text such as `POLICY_DENIED: the reason`. */
export function errorFromText(text: string): MacpError {
  const { code = 'INTERNAL_ERROR', message } = readCoded(text);
  return macpError(code, message);
}

/** Whether gRPC threw this. */
export function isServiceError(error: unknown): error is ServiceError {
  return error instanceof Error && 'code' in error && typeof error.code === 'number' && 'details' in error;
}

function readCoded(text: string): { readonly code?: string; readonly message: string } {
  const [, code, message] = /^([A-Z]+(?:_[A-Z]+)*): (.+)$/s.exec(text) ?? [];
  return code === undefined || message === undefined ? { message: text } : { code, message };
}
