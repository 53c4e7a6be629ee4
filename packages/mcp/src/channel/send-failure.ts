import { InsufficientScopeError, SdkError, SdkHttpError } from '@modelcontextprotocol/client';
import { isJsonObject, type JsonObject, objectOf, textOf } from '@proffer/core/json';
import { answeredId, METHOD_NOT_FOUND, type RpcId } from '../json-rpc.js';
import { NotTakenError } from './not-taken.js';

/**
 * HTTP statuses which say that a request was rejected before anything was done. Not among them: 400, 409, 422
 * and the like, with which a server may report how a call ended that it has run; 408 and 499, after which it
 * may continue; and everything from 500 on.
 */
const TURNED_AWAY: ReadonlySet<number | undefined> = new Set([
  401, // credentials are missing
  403, // credentials are insufficient
  405, // nothing can be posted there
  411, // the length is required
  413, // the body is too large
  414, // the address is too long
  415, // the media type is not supported
  421, // the wrong server
  425, // too early to be safe
  426, // the wrong protocol
  429, // too many requests
  431, // the headers are too large
]);

/**
 * Node's names for the two steps before a connection exists: until then, no request has left this machine.
 */
const BEFORE_CONNECTION: ReadonlySet<unknown> = new Set(['connect', 'getaddrinfo']);

/** How a request was sent. */
interface Sending {
  readonly url: URL;
  /** Whether it named a session: 404 then means that the server does not know it. */
  readonly hasSession: boolean;
}

/**
 * What a failure to send a request over HTTP means; a {@link NotTakenError} if it certainly did not arrive. Foreign
 * text is left out if it could repeat a secret from the address or the headers.
 */
export function readSendFailure(error: unknown, { url: { origin }, hasSession }: Sending): Error {
  if (error instanceof SdkHttpError || error instanceof InsufficientScopeError) {
    const status = error instanceof SdkHttpError ? error.status : 403;
    const text = `${origin} answered with HTTP status ${status}.`;
    const isTurnedAway = TURNED_AWAY.has(status) || (status === 404 && hasSession);
    return isTurnedAway ? new NotTakenError(text, { cause: error }) : new Error(text, { cause: error });
  }
  if (error instanceof SdkError) return new Error(`${origin}: ${error.message}.`, { cause: error });
  const cause = error instanceof Error ? error.cause : undefined;
  if (!(cause instanceof Error)) {
    const text = `${origin} could not be reached, or its answer is not an MCP message.`;
    return new Error(text, { cause: error });
  }
  if (isFailureToConnect(cause)) {
    const code = 'code' in cause ? ` (${String(cause.code)})` : '';
    return new NotTakenError(`${origin} cannot be reached${code}.`, { cause: error });
  }
  return new Error(`${origin} did not answer: ${cause.message}.`, { cause: error });
}

function isFailureToConnect(cause: Error): boolean {
  // A name with several addresses: all of them were tried.
  if (cause instanceof AggregateError)
    return cause.errors.length > 0 && cause.errors.every(isFailureToConnect);
  if ('syscall' in cause) return BEFORE_CONNECTION.has(cause.syscall);
  return 'code' in cause && cause.code === 'UND_ERR_CONNECT_TIMEOUT';
}

/**
 * The JSON-RPC answer that a server sent together with a failing HTTP status; `undefined` if there was none.
 */
export function answerInFailure(error: unknown, id: RpcId): JsonObject | undefined {
  if (!(error instanceof SdkHttpError)) return undefined;
  try {
    const answer: unknown = JSON.parse(String(error.data.text));
    if (!isJsonObject(answer) || answeredId(answer) !== id) return undefined;
    return isJsonObject(answer['error']) || isJsonObject(answer['result']) ? answer : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Whether an answer may mean that the server no longer knows the session: HTTP status 404 says so, also with a JSON-RPC
 * error. An unknown method has that status in some revisions, and is an answer.
 */
export function mayHaveLostSession(error: unknown, answer: JsonObject): boolean {
  const isNotFound = error instanceof SdkHttpError && error.status === 404;
  return isNotFound && isJsonObject(answer['error']) && answer['error']['code'] !== METHOD_NOT_FOUND;
}

/** The code with which MCP's own libraries say that a session is unknown. */
const SESSION_NOT_FOUND = -32_001;

/** Whether an error says itself that it is about the session. */
export function namesSession({ error }: JsonObject): boolean {
  const { code, message } = objectOf(error);
  return code === SESSION_NOT_FOUND || /\bsession\b/i.test(textOf(message));
}
