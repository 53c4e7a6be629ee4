import { isJsonObject, objectOf } from '@proffer/core/json';
import type { SocketEnd } from './socket.js';

/**
 * Parses the body of an HTTP refusal: problem details, `{ code, detail, details }`, or as the MACP
 * routes have it, `{ error: { code, message, details } }`.
 */
export function readRefusalBody(text: string): SocketEnd['refusal'] {
  try {
    return refusalIn(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** The refusal in a parsed body. */
export function refusalIn(body: unknown): SocketEnd['refusal'] {
  if (!isJsonObject(body)) return undefined;
  const refusal = isJsonObject(body['error']) ? body['error'] : body;
  const { code, message = refusal['detail'], details } = refusal;
  if (typeof code !== 'string' || typeof message !== 'string') return undefined;
  return { code, message, details: objectOf(details) };
}
