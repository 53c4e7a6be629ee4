import { type JsonObject, parseJson, quote } from '@proffer/core/json';
import { MAX_LEVELS } from '../../channel/shallow-channel.js';
import {
  answeredId,
  INVALID_PARAMS,
  INVALID_REQUEST,
  isRequest,
  plainMessage,
  type RpcId,
  type RpcRequest,
} from '../../json-rpc.js';
import { folded } from '../folded.js';
import { type GuardedToolCall, readToolCall } from '../tool-call.js';

/** A client's message, as far as a guard needs to know. */
export type ClientMessage =
  | { readonly kind: 'call'; readonly id: RpcId; readonly call: GuardedToolCall }
  | { readonly kind: 'request'; readonly request: RpcRequest }
  /** A notification, or the answer to a request from the server. */
  | { readonly kind: 'other'; readonly message: JsonObject }
  /** Not to be passed on: a server might read more in it than a guard does. */
  | { readonly kind: 'refused'; readonly answer?: JsonObject };

const CALL = 'tools/call';

/** The maximum length of a request id, in characters: it is kept until the request is answered (I-7). */
const MAX_ID_LENGTH = 1_024;

/**
 * Reads a message of a client. Whatever a server might take for a tool call, or for another known method, is exactly that,
 * complete and well-formed, or is refused, without an answer if JSON-RPC allows none.
 *
 * @param text - the original text, if known: a call that parsers might read differently, such as with numbers out of
 *   range, is refused
 */
export function readClientMessage(given: JsonObject, text?: string): ClientMessage {
  const message = plainMessage(given);
  const { id, method } = message;
  if (method === undefined)
    return answeredId(message) === undefined ? { kind: 'refused' } : { kind: 'other', message };
  const refuse = (code: number, why: string): ClientMessage =>
    id === undefined ? { kind: 'refused' } : refusal(isRequest(message) ? message.id : null, code, why);
  if (typeof method !== 'string') return refuse(INVALID_REQUEST, 'The method must be a string.');
  if (id !== undefined && !isRequest(message))
    return refuse(INVALID_REQUEST, 'The id of a request must be a string or a number.');
  if (typeof id === 'string' && id.length > MAX_ID_LENGTH)
    return refuse(INVALID_REQUEST, `The id of a request has at most ${MAX_ID_LENGTH} characters.`);
  const problem = problemWithMethod(method);
  if (problem !== undefined) return refuse(INVALID_REQUEST, problem);
  if (!isRequest(message)) return method === CALL ? { kind: 'refused' } : { kind: 'other', message };
  if (method !== CALL) return { kind: 'request', request: message };
  const call = readToolCall(message);
  if ('problem' in call) return refuse(INVALID_PARAMS, call.problem);
  const parsed = text === undefined ? undefined : parseJson(text, WITHOUT_SIZE);
  if (parsed?.ok === false) return refuse(INVALID_PARAMS, parsed.refusal.message);
  return { kind: 'call', id: message.id, call };
}

/** Calls that the rules allow may be of any size; those that are proposed are measured later. */
const WITHOUT_SIZE = { maxBytes: Number.POSITIVE_INFINITY, maxDepth: MAX_LEVELS };

/** Refuses a message; without an id that can be answered to, under none. */
export function refusal(id: RpcId | null, code: number, why: string): ClientMessage {
  return { kind: 'refused', answer: { jsonrpc: '2.0', id, error: { code, message: why } } };
}

/** The methods of MCP that a client may use, in all revisions. */
const KNOWN = [
  'initialize',
  'ping',
  'server/discover',
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'resources/subscribe',
  'resources/unsubscribe',
  'prompts/list',
  'prompts/get',
  'completion/complete',
  'logging/setLevel',
  'roots/list',
  'sampling/createMessage',
  'elicitation/create',
  'subscriptions/listen',
  'tasks/list',
  'tasks/get',
  'tasks/result',
  'tasks/update',
  'tasks/cancel',
  'notifications/initialized',
  'notifications/cancelled',
  'notifications/progress',
  'notifications/message',
  'notifications/roots/list_changed',
  'notifications/tools/list_changed',
  'notifications/prompts/list_changed',
  'notifications/resources/list_changed',
  'notifications/resources/updated',
  'notifications/tasks/status',
  'notifications/elicitation/complete',
  'notifications/subscriptions/acknowledged',
] as const;

const BY_FOLDED: ReadonlyMap<string, string> = new Map(KNOWN.map((method) => [folded(method), method]));

/**
 * What is wrong with the name of a method that a server might read as another one; `undefined` for a known one, and for
 * one that nobody knows.
 */
export function problemWithMethod(method: string): string | undefined {
  if (/\p{Cc}/u.test(method)) return 'The method contains control characters.';
  const known = BY_FOLDED.get(folded(method));
  if (known === undefined || known === method) return undefined;
  return `Unknown method ${quote(method)}; did you mean ${known}?`;
}

/** How clients say that they timed out: `Request timed out`, `context deadline exceeded`. */
const TIMED_OUT = /time[ds]?[ -]?out|deadline/i;

/**
 * Whether a cancelled request (`notifications/cancelled`) is no longer wanted. Clients also cancel requests that time
 * out, and often repeat the same call: they are only away for a while.
 *
 * @param params - of the notification
 */
export function isUnwanted({ reason }: JsonObject): boolean {
  return typeof reason !== 'string' || !TIMED_OUT.test(reason);
}
