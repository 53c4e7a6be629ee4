import { type Refusal, refuse } from '../../refusal/refusal.js';

/** The default maximum size of an envelope's payload: 1 MiB (N-3). */
export const DEFAULT_MAX_PAYLOAD_BYTES = 1_048_576;

/**
 * The refusal `PAYLOAD_TOO_LARGE` for a payload over the limit, or nothing (N-3). Only the transport
 * knows the number of bytes, and it checks before it decodes them.
 */
export function checkPayloadSize(
  bytes: number,
  maxBytes: number = DEFAULT_MAX_PAYLOAD_BYTES,
): Refusal | undefined {
  if (bytes <= maxBytes) return undefined;
  return refuse('PAYLOAD_TOO_LARGE', `The payload has ${bytes} bytes; ${maxBytes} are allowed.`, {
    field: 'payload',
    found: bytes,
    expected: `at most ${maxBytes} bytes`,
  });
}
