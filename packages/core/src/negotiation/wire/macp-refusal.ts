import type { RefusalCode } from '../../refusal/codes.js';
import type { Refusal } from '../../refusal/refusal.js';

/** What MACP calls the things that happen to a message before any session is looked at. */
const MACP_CODES: Partial<Record<RefusalCode, RefusalCode>> = {
  unauthenticated: 'UNAUTHENTICATED',
  rate_limited: 'RATE_LIMITED',
  too_many_connections: 'RATE_LIMITED',
  too_many_followed_sessions: 'RATE_LIMITED',
  too_many_open_sessions: 'RATE_LIMITED',
  too_large: 'PAYLOAD_TOO_LARGE',
  unavailable: 'INTERNAL_ERROR',
};

/** True for a code of the MACP wire: those are written in capitals. */
export function isMacpCode(code: RefusalCode): boolean {
  return code === code.toUpperCase();
}

/**
 * The same refusal with a code that MACP clients know: a fault of the runtime is `INTERNAL_ERROR`, a
 * message that could not be read is `INVALID_ENVELOPE`. The sentence and the details stay as they are.
 */
export function macpRefusal(refusal: Refusal): Refusal {
  const { code } = refusal;
  return isMacpCode(code) ? refusal : { ...refusal, code: MACP_CODES[code] ?? 'INVALID_ENVELOPE' };
}
