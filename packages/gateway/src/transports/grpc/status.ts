import { constants } from 'node:http2';
import { REFUSALS, type RefusalCode } from '@proffer/core';
import type { ConnectionEnding } from '../../delivery/index.js';

/** The gRPC status codes that the gateway uses. */
export const STATUS = {
  OK: 0,
  INVALID_ARGUMENT: 3,
  DEADLINE_EXCEEDED: 4,
  NOT_FOUND: 5,
  ALREADY_EXISTS: 6,
  PERMISSION_DENIED: 7,
  RESOURCE_EXHAUSTED: 8,
  FAILED_PRECONDITION: 9,
  UNIMPLEMENTED: 12,
  INTERNAL: 13,
  UNAVAILABLE: 14,
  UNAUTHENTICATED: 16,
} as const;

export type GrpcStatus = keyof typeof STATUS;

/** The status of a refused call. */
export function grpcStatus(code: RefusalCode): GrpcStatus {
  return REFUSALS[code].grpc;
}

interface Ended {
  readonly status: GrpcStatus;
  readonly message: string;
  /** For the trailer, if there is a MACP code for it. */
  readonly code?: string;
}

/** The status of a stream that the gateway ends, and what its peer should do then. */
export const ENDED: Readonly<Record<ConnectionEnding, Ended>> = {
  going_away: {
    status: 'UNAVAILABLE',
    message: 'The gateway is shutting down. Reconnect, to this gateway or another one.',
  },
  interrupted: { status: 'UNAVAILABLE', message: 'History could not be read. Reconnect in a moment.' },
  fell_behind: {
    status: 'RESOURCE_EXHAUSTED',
    message:
      'STREAM_LAGGED: The stream was read too slowly. Reconnect with the last sequence number you received.',
    code: 'STREAM_LAGGED',
  },
  credential_revoked: {
    status: 'UNAUTHENTICATED',
    message: 'UNAUTHENTICATED: The token was revoked or has expired. Get a new one.',
    code: 'UNAUTHENTICATED',
  },
  kicked: { status: 'PERMISSION_DENIED', message: 'The participant was removed from the space.' },
  too_many_errors: {
    status: 'RESOURCE_EXHAUSTED',
    message: 'Too many frames could not be read. Fix the client that sends them.',
  },
};

/** How an HTTP/2 stream is reset after a complete answer. */
export const { NGHTTP2_NO_ERROR: ANSWERED, NGHTTP2_CANCEL: CUT } = constants;
