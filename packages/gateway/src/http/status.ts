import type { RefusalCode } from '@proffer/core';

/** The HTTP status of a refusal, for every code that can come out of an HTTP request. */
const STATUS: Partial<Record<RefusalCode, number>> = {
  unauthenticated: 401,
  capability_violation: 403,
  foreign_origin: 403,
  forbidden_space: 403,
  sender_mismatch: 403,
  reserved_kind: 403,
  not_proposer: 403,
  use_withdraw: 403,
  self_fulfilment: 403,
  not_executor: 403,
  unknown_proposal: 404,
  unknown_space: 404,
  unknown_route: 404,
  id_conflict: 409,
  proposal_not_pending: 409,
  reserved: 409,
  ambiguous_executor: 409,
  already_serving: 409,
  executor_absent: 409,
  too_large: 413,
  rate_limited: 429,
  too_many_connections: 429,
  too_many_open_sessions: 429,
  too_many_pending: 429,
  unavailable: 503,

  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  POLICY_DENIED: 403,
  SESSION_NOT_FOUND: 404,
  UNKNOWN_POLICY_VERSION: 404,
  SESSION_NOT_OPEN: 409,
  DUPLICATE_MESSAGE: 409,
  SESSION_ALREADY_EXISTS: 409,
  PAYLOAD_TOO_LARGE: 413,
  RATE_LIMITED: 429,
  INTERNAL_ERROR: 500,
};

/** 400 for whatever is wrong with the message itself. */
export function httpStatus(code: RefusalCode): number {
  return STATUS[code] ?? 400;
}
