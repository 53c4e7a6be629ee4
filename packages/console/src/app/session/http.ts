import { isJsonObject, type JsonObject, type JsonValue, objectOf } from '@proffer/core/json';
import { learnTime } from '../state/clock.js';

/** Why the gateway did not answer as asked; `code` is its refusal code, absent if there was no answer at all. */
export class AskError extends Error {
  override readonly name = 'AskError';
  readonly code?: string;
  /** Further details of the refusal, for programs. */
  readonly details: JsonObject;

  constructor(message: string, code?: string, details: JsonObject = {}) {
    super(message);
    this.details = details;
    if (code !== undefined) this.code = code;
  }
}

/** Whether there was no answer, or none yet: the gateway may be back in a moment. */
export function isAway(error: unknown): boolean {
  return error instanceof AskError && (error.code === undefined || error.code === 'unavailable');
}

/**
 * Sends a request to the gateway that served this page. Rejects with an {@link AskError} that says what
 * happened.
 *
 * @param path - such as `/whoami`
 * @param posted - the body of a POST; without it, the request is a GET
 */
export async function ask(path: string, token?: string, posted?: JsonObject): Promise<JsonObject> {
  let response: Response;
  try {
    const headers = {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(posted === undefined ? {} : { 'content-type': 'application/json' }),
    };
    const sent = posted === undefined ? {} : { method: 'POST', body: JSON.stringify(posted) };
    response = await fetch(path, { ...sent, headers, cache: 'no-store', credentials: 'omit' });
  } catch {
    throw new AskError('The gateway is not responding.');
  }
  learnTime(response.headers.get('date'));
  const body = (await response.json().catch(() => undefined)) as JsonValue | undefined;
  if (response.ok && isJsonObject(body)) return body;
  const error = isJsonObject(body) ? readError(body) : undefined;
  if (error !== undefined) throw error;
  throw new AskError(`The gateway answered with status ${response.status}.`);
}

/** A refusal: as `{ error: { code, message } }`, or as problem details (RFC 9457). */
function readError(body: JsonObject): AskError | undefined {
  const { code, message, detail, title, details } = isJsonObject(body['error']) ? body['error'] : body;
  const said = [message, detail, title].find((text) => typeof text === 'string');
  if (typeof said !== 'string') return undefined;
  return new AskError(said, typeof code === 'string' ? code : undefined, objectOf(details));
}
