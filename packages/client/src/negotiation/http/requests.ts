import { isJsonObject, type JsonObject, type JsonValue, objectOf } from '@proffer/core/json';
import type { Fetch } from '../../connection/fetch.js';
import { readServerEvents } from '../../http/server-events.js';
import { MacpError, macpError } from '../macp-error.js';
import type { Attempt } from '../transport.js';

/** Errors of a request before any of it was sent: no connection, or an untrusted one. */
const NOT_LEFT =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|UND_ERR_CONNECT_TIMEOUT|(?:ERR_TLS|ERR_SSL|CERT|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)_\w+)$/;

/**
 * No answer came to a request. Says that the request may have arrived, unless it certainly has not
 * (N-6).
 */
function noAnswer(base: string, cause: unknown): MacpError {
  const { code, why } = reasonOf(cause);
  const sentence = NOT_LEFT.test(code)
    ? `No gateway answers at ${base}${why}.`
    : `No response from ${base}${why}; the request may have arrived.`;
  return new MacpError('UNAVAILABLE', sentence, { cause });
}

/** An answer started, so that the request has certainly arrived, but did not end. */
function brokeOff(base: string, cause: unknown): MacpError {
  const sentence = `The response from ${base} was cut off${reasonOf(cause).why}; the request has arrived.`;
  return new MacpError('UNAVAILABLE', sentence, { cause });
}

/** The underlying error: `fetch` itself says only that it failed. */
function reasonOf(cause: unknown): { readonly code: string; readonly why: string } {
  const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
  const code = inner instanceof Error && 'code' in inner ? String(inner.code) : '';
  const text = inner instanceof Error && inner.message !== '' ? inner.message : code;
  return { code, why: text === '' ? '' : ` (${text})` };
}

interface Request {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly body?: JsonObject;
}

export interface Requests {
  /** One request and its JSON answer. Throws a MacpError: refused, or unreachable. */
  readonly ask: (path: string, attempt: Attempt, request?: Request) => Promise<JsonObject>;
  /** An event stream, until the gateway ends it; breaking off is `UNAVAILABLE`. */
  readonly follow: (path: string, attempt: Attempt) => AsyncGenerator<JsonObject, undefined>;
}

/**
 * @param base - the gateway's address, without a trailing slash
 * @param fetched - how it is asked
 */
export function createRequests(base: string, fetched: Fetch = fetch): Requests {
  async function request(path: string, { token, signal }: Attempt, init: RequestInit): Promise<Response> {
    const headers = { authorization: `Bearer ${token}`, ...(init.headers as Record<string, string>) };
    const response = await fetched(`${base}${path}`, { ...init, headers, signal, redirect: 'error' }).catch(
      (cause: unknown) => {
        throw noAnswer(base, cause);
      },
    );
    if (response.ok) return response;
    throw refusedWith(response.status, await jsonOf(response).catch(() => undefined));
  }

  return {
    async ask(path, attempt, { method = 'GET', body } = {}) {
      const init =
        body === undefined
          ? { method }
          : { method, body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
      const response = await request(path, attempt, init);
      const answer = await jsonOf(response).catch((cause: unknown) => {
        if (!(cause instanceof SyntaxError)) throw brokeOff(base, cause);
      });
      if (isJsonObject(answer)) return answer;
      throw new MacpError('UNSUPPORTED', `The server at ${base} is not a Proffer gateway.`);
    },
    async *follow(path, attempt): AsyncGenerator<JsonObject, undefined> {
      const { body } = await request(path, attempt, { headers: { accept: 'text/event-stream' } });
      if (body === null) return;
      try {
        for await (const { type, data } of readServerEvents(body, attempt.signal)) {
          if (type === 'end') return;
          const value = JSON.parse(data) as JsonValue;
          if (isJsonObject(value)) yield value;
        }
      } catch (cause) {
        throw cause instanceof MacpError ? cause : brokeOff(base, cause);
      }
    },
  };
}

async function jsonOf(response: Response): Promise<JsonValue> {
  return JSON.parse(await response.text()) as JsonValue;
}

/** Reads `{ error: { code, message, details } }`, alone or in an acknowledgement, or problem details. */
function refusedWith(status: number, body: JsonValue | undefined): MacpError {
  const error = isJsonObject(body) && isJsonObject(body['error']) ? body['error'] : body;
  if (isJsonObject(error)) {
    const { code, message = error['detail'], details, session_id, message_id } = error;
    if (typeof code === 'string' && typeof message === 'string') {
      return macpError(code, message, {
        details: objectOf(details),
        ...(typeof session_id === 'string' && session_id !== '' ? { sessionId: session_id } : {}),
        ...(typeof message_id === 'string' && message_id !== '' ? { messageId: message_id } : {}),
      });
    }
  }
  // A proxy between us and the gateway answered.
  const code = status === 429 || status >= 500 ? 'UNAVAILABLE' : 'UNSUPPORTED';
  return new MacpError(code, `The gateway answered with HTTP status ${status} and no error.`);
}
