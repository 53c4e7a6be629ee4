import type { JsonObject } from '@proffer/core/json';
import { type GrpcStatus, STATUS } from './status.js';

/** The trailers of an answer: how the call ended. */
export type Trailers = Readonly<Record<string, string>>;

/** The trailers of successful calls; shared by all of them. */
export const OK: Trailers = { 'grpc-status': '0' };

/** Clients read at least eight thousand bytes of trailers; larger details are left out. */
const MAX_DETAILS = 2_048;

/**
 * @param code - a MACP code, for programs; empty for none
 * @param details - of the refusal, for programs. Default none
 */
export function trailersOf(
  status: GrpcStatus,
  message: string,
  code: string,
  details: JsonObject = {},
): Trailers {
  if (status === 'OK') return OK;
  return {
    'grpc-status': String(STATUS[status]),
    ...(message === '' ? {} : { 'grpc-message': encodeMessage(message) }),
    ...(code === '' ? {} : { 'macp-error-code': code }),
    ...detailsTrailer(details),
  };
}

function detailsTrailer(details: JsonObject): Trailers {
  if (Object.keys(details).length === 0) return {};
  const encoded = Buffer.from(JSON.stringify(details)).toString('base64');
  return encoded.length > MAX_DETAILS ? {} : { 'macp-error-details-bin': encoded };
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
