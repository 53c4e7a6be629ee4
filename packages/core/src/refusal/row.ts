/** The codes of the MACP wire. Its clients know no others. */
export type MacpCode =
  | 'UNAUTHENTICATED'
  | 'FORBIDDEN'
  | 'SESSION_NOT_FOUND'
  | 'SESSION_NOT_OPEN'
  | 'DUPLICATE_MESSAGE'
  | 'SESSION_ALREADY_EXISTS'
  | 'INVALID_ENVELOPE'
  | 'UNSUPPORTED_PROTOCOL_VERSION'
  | 'MODE_NOT_SUPPORTED'
  | 'RATE_LIMITED'
  | 'PAYLOAD_TOO_LARGE'
  | 'INVALID_SESSION_ID'
  | 'UNKNOWN_POLICY_VERSION'
  | 'POLICY_DENIED'
  | 'INTERNAL_ERROR'
  | 'INVALID_POLICY_DEFINITION';

/** The gRPC statuses that a refusal can end a call with. */
export type GrpcRefusalStatus =
  | 'INVALID_ARGUMENT'
  | 'NOT_FOUND'
  | 'ALREADY_EXISTS'
  | 'PERMISSION_DENIED'
  | 'RESOURCE_EXHAUSTED'
  | 'FAILED_PRECONDITION'
  | 'INTERNAL'
  | 'UNAVAILABLE'
  | 'UNAUTHENTICATED';

/** Everything that follows from a refusal's code alone, on every transport. */
export interface RefusalRow {
  /** What its reader should do next: one or more sentences. */
  readonly advice: string;
  readonly http: number;
  readonly grpc: GrpcRefusalStatus;
  /** What it is called on the MACP wire. */
  readonly macp: MacpCode;
  /** Whether the same message, unchanged and under the same id, may be accepted later. */
  readonly retryable: boolean;
}

type MakeRow = (advice: string) => RefusalRow;

function kind(
  http: number,
  grpc: GrpcRefusalStatus,
  rest: { readonly macp?: MacpCode; readonly retryable?: boolean } = {},
): MakeRow {
  const { macp = 'INVALID_ENVELOPE', retryable = false } = rest;
  return (advice) => ({ advice, http, grpc, macp, retryable });
}

/** Something is wrong with the message itself. */
export const invalid = kind(400, 'INVALID_ARGUMENT');
/** It is not known who sent it. */
export const unauthenticated = kind(401, 'UNAUTHENTICATED', { macp: 'UNAUTHENTICATED' });
/** The sender may not do this. */
export const forbidden = kind(403, 'PERMISSION_DENIED', { macp: 'FORBIDDEN' });
/** It refers to something that does not exist, as far as the sender may know. */
export const notFound = kind(404, 'NOT_FOUND');
/** The state of things does not allow it. */
export const conflict = kind(409, 'FAILED_PRECONDITION');
/** Likewise, but temporary. */
export const notYet = kind(409, 'FAILED_PRECONDITION', { retryable: true });
export const tooLarge = kind(413, 'RESOURCE_EXHAUSTED', { macp: 'PAYLOAD_TOO_LARGE' });
/** A limit was met. */
export const tooMany = kind(429, 'RESOURCE_EXHAUSTED', { macp: 'RATE_LIMITED', retryable: true });
/** The gateway cannot do it at the moment. */
export const unavailable = kind(503, 'UNAVAILABLE', { macp: 'INTERNAL_ERROR', retryable: true });
/** For the operator: no client can do anything about it. */
export const broken = kind(500, 'INTERNAL', { macp: 'INTERNAL_ERROR' });

/** A code of the MACP wire is called the same there. */
export function onTheWire(macp: MacpCode, row: RefusalRow): RefusalRow {
  return { ...row, macp };
}
