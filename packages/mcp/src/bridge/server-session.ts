import { errorToThrow } from '@proffer/client/own-calls';
import type { JsonObject } from '@proffer/core/json';
import type { ServerRequests } from '../channel/server-requests.js';
import { notificationOf, objectAt, type RpcAnswer } from '../json-rpc.js';
import { requestMeta } from '../revision.js';

/** The lists that a server has and a participant announces (O-26). */
export const LISTS = ['tools', 'resources', 'prompts'] as const;
export type List = (typeof LISTS)[number];

/** A request sent to a server. */
export interface SentRequest {
  /**
   * Resolves with the server's answer; rejects if the server goes away first, or if the request is abandoned.
   */
  readonly answer: Promise<RpcAnswer>;
  /** Abandons the request: it rejects with the cause, and a later answer is ignored. */
  readonly giveUp: (cause: Error) => void;
  /** Abandons the request and notifies the server. */
  readonly callOff: (cause: Error) => void;
}

/** An initialized server, in the revision that it speaks. */
export interface ServerSession {
  /** Whether the server offers such a list. */
  has(list: List): boolean;
  ask(method: string, params: JsonObject): SentRequest;
  /** A request that shows whether the server is alive; the answer does not matter. */
  readonly probe: string;
}

/** The offered revision; the server's answer to `initialize` names the one to use. */
const REVISION = '2025-11-25';
const CLIENT = { name: 'proffer-bridge', version: '0.1.0' };

/**
 * Initializes a server: with `initialize`, and if the server refuses that, as one of only 2026-07-28 does,
 * with `server/discover`. Rejects with the server's own error if it accepts neither.
 *
 * @param onLost - called when the server stops reporting changes
 */
export async function openSession(
  requests: ServerRequests,
  send: (message: JsonObject) => void,
  onLost: (cause: Error) => void,
): Promise<ServerSession> {
  const params = { protocolVersion: REVISION, capabilities: {}, clientInfo: CLIENT };
  const answer = await requests.ask(requests.nextId(), { method: 'initialize', params });
  if ('error' in answer) return discover(requests, send, { refused: answer.error, onLost });
  send(notificationOf('notifications/initialized', {}));
  return { has: knows(answer.result), ask: askThrough(requests, send), probe: 'ping' };
}

async function discover(
  requests: ServerRequests,
  send: (message: JsonObject) => void,
  { refused, onLost }: { readonly refused: JsonObject; readonly onLost: (cause: Error) => void },
): Promise<ServerSession> {
  const meta = requestMeta(CLIENT);
  const askPlain = askThrough(requests, send);
  const ask: ServerSession['ask'] = (method, params) => askPlain(method, { ...params, _meta: meta });
  const found = await ask('server/discover', {}).answer;
  if ('error' in found) throw errorToThrow(refused);
  const capabilities = objectAt(found.result, 'capabilities');
  const changing = LISTS.filter((list) => objectAt(capabilities, list)['listChanged'] === true);
  if (changing.length > 0) {
    const notifications = Object.fromEntries(changing.map((list) => [`${list}ListChanged`, true]));
    // Answered when it ends; a server that refuses it does not report changes.
    ask('subscriptions/listen', { notifications }).answer.catch(onLost);
  }
  return { has: knows(found.result), ask, probe: 'server/discover' };
}

function askThrough(
  requests: ServerRequests,
  send: (message: JsonObject) => void,
): (method: string, params: JsonObject) => SentRequest {
  return (method, params) => {
    const id = requests.nextId();
    return {
      answer: requests.ask(id, { method, params }),
      giveUp: (cause) => void requests.lose(id, cause),
      callOff(cause) {
        if (!requests.lose(id, cause)) return;
        send(notificationOf('notifications/cancelled', { requestId: id, reason: cause.message }));
      },
    };
  };
}

function knows(result: JsonObject): (list: List) => boolean {
  const capabilities = objectAt(result, 'capabilities');
  return (list) => Object.hasOwn(capabilities, list);
}
