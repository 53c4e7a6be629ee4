import { type GrpcStatus, STATUS } from './status.js';

/** The trailers of an answer: how the call ended. */
export type Trailers = Readonly<Record<string, string>>;

/** The trailers of successful calls; shared by all of them. */
export const OK: Trailers = { 'grpc-status': '0' };

/** The trailers of an incomplete list. */
export const MORE: Trailers = { ...OK, 'macp-more': 'true' };

/** @param code - a MACP code, for programs; empty for none */
export function trailersOf(status: GrpcStatus, message: string, code: string): Trailers {
  if (status === 'OK') return OK;
  return {
    'grpc-status': String(STATUS[status]),
    ...(message === '' ? {} : { 'grpc-message': encodeMessage(message) }),
    ...(code === '' ? {} : { 'macp-error-code': code }),
  };
}

/** Percent-encodes everything but visible ASCII and the space, as gRPC requires. */
function encodeMessage(message: string): string {
  return message
    .toWellFormed()
    .replace(/[^\x20-\x24\x26-\x7e]+/g, (part) =>
      Array.from(Buffer.from(part), (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(
        '',
      ),
    );
}
