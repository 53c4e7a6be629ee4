import { InsufficientScopeError, SdkError, SdkHttpError } from '@modelcontextprotocol/client';
import { isJsonObject, type JsonObject } from '@proffer/core/json';
import { answeredId, type RpcId } from '../json-rpc.js';
import { NotTakenError } from './not-taken.js';

/**
 * The HTTP statuses that say that a request was turned away before anything was done about it. Not among them:
 * 400, 409, 422 and their like, with which a server may tell how a call ended that it has run; 408 and 499,
 * after which it may go on; and all from 500 on.
 */
const TURNED_AWAY: ReadonlySet<number | undefined> = new Set([
  401, // nobody is allowed in without credentials
  403, // these are not enough
  405, // nothing can be posted there
  411, // its length has to be said first
  413, // it is too large to be read
  414, // its address is too long to be read
  415, // it is in no language that is read there
  421, // it came to the wrong server
  425, // it came too early to be safe
  426, // it came in the wrong protocol
  429, // there are too many of them
  431, // its headers are too large to be read
]);

/** Node's names for the two steps before there is a connection: until then, no request has left this machine. */
const BEFORE_CONNECTION: ReadonlySet<unknown> = new Set(['connect', 'getaddrinfo']);

/** What a request was sent with. */
export interface Sending {
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
 * The answer of JSON-RPC that a server gave to a request together with a failing HTTP status; `undefined` if it gave
 * none.
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
