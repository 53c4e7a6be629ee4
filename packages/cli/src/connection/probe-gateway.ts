import type { IncomingMessage } from 'node:http';
import { isFromProxy, NotAnsweredError, parseBody, readText, request } from '@proffer/client/http';
import { isJsonArray, type JsonValue, objectOf } from '@proffer/core/json';
import { tlsTrouble } from './tls-trouble.js';

/** What is at an address, as far as visible without a token. */
export type Probe =
  /** `serverTime`: its clock, in milliseconds since 1970. */
  | {
      readonly found: 'gateway';
      readonly isReady: boolean;
      /** Why it is not ready, if it says so. */
      readonly reason?: string;
      readonly serverTime?: number;
      /** What acknowledged messages survive, if it says so. */
      readonly durability?: 'power' | 'process';
      /** What its operator should look at. */
      readonly warnings: readonly string[];
    }
  /** A proxy answers, but no gateway behind it is ready. */
  | { readonly found: 'proxy'; readonly status: number }
  /** Something other than a gateway answers, or hangs up; `reason`: how that shows. */
  | { readonly found: 'stranger'; readonly reason: string }
  /** A TLS mismatch: an untrusted certificate, or TLS on one side only. */
  | { readonly found: 'tls_trouble'; readonly reason: string; readonly next: readonly string[] }
  /** Nothing came in time. */
  | { readonly found: 'silence' }
  /** Nothing accepts connections there, or it is unreachable. */
  | { readonly found: 'nobody'; readonly reason: string };

/**
 * Asks an address whether a gateway is there, and whether it is ready.
 *
 * @param within - timeout for the whole answer, in milliseconds
 * @param ca - certificates to trust in addition to those that Node trusts, in PEM
 */
export async function probeGateway(url: string, within: number, ca?: string): Promise<Probe> {
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(), within);
  try {
    const response = await request(`${url}/readyz`, { signal: silence.signal, ca });
    return readAnswer(response, parseBody(await readText(response)));
  } catch (error) {
    if (silence.signal.aborted) return { found: 'silence' };
    const trouble = tlsTrouble(error, url, ca !== undefined);
    if (trouble !== undefined) return { found: 'tls_trouble', reason: trouble.message, next: trouble.next };
    const hasAnswered = !(error instanceof NotAnsweredError) || error.wasConnected;
    const reason = error instanceof Error ? error.message : String(error);
    return { found: hasAnswered ? 'stranger' : 'nobody', reason };
  } finally {
    clearTimeout(timer);
  }
}

function readAnswer({ statusCode = 0, headers }: IncomingMessage, body: JsonValue | undefined): Probe {
  const { ready: isReady, reason, durability, warnings } = objectOf(body);
  if (typeof isReady !== 'boolean')
    return isFromProxy(statusCode)
      ? { found: 'proxy', status: statusCode }
      : { found: 'stranger', reason: `HTTP status ${statusCode}` };
  const date = Date.parse(headers.date ?? '');
  return {
    found: 'gateway',
    isReady,
    warnings: isJsonArray(warnings) ? warnings.filter((one) => typeof one === 'string') : [],
    ...(typeof reason === 'string' ? { reason } : {}),
    ...(durability === 'power' || durability === 'process' ? { durability } : {}),
    ...(Number.isNaN(date) ? {} : { serverTime: date }),
  };
}
