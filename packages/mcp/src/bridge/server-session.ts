import type { JsonObject } from '@proffer/core';
import { errorToThrow } from '../guard/failure-outcome.js';
import type { ServerRequests } from '../guard/server-requests.js';
import { notificationOf, objectAt, type RpcAnswer } from '../json-rpc.js';
import { requestMeta } from '../revision.js';

/** The lists that a server has, and that a participant announces (O-26). */
export const LISTS = ['tools', 'resources', 'prompts'] as const;
export type List = (typeof LISTS)[number];

/** A server that is ready to be asked, in the revision that it speaks. */
export interface ServerSession {
  /** Whether the server says that it has such a list. */
  has(list: List): boolean;
  /** Asks the server; settles with its answer, fails when it goes away before that. */
  ask(method: string, params: JsonObject): Promise<RpcAnswer>;
}

/** The server's answer to `initialize` is the revision that both sides speak; this is the one that is offered. */
const REVISION = '2025-11-25';
const CLIENT = { name: 'proffer-bridge', version: '0.1.0' };

/**
 * Opens the conversation with a server: with `initialize`, and where the server refuses that, as one of
 * 2026-07-28 alone does, with `server/discover`. Fails with the server's own error if it takes neither.
 */
export async function openSession(
  requests: ServerRequests,
  send: (message: JsonObject) => void,
): Promise<ServerSession> {
  const params = { protocolVersion: REVISION, capabilities: {}, clientInfo: CLIENT };
  const answer = await requests.ask(requests.nextId(), { method: 'initialize', params });
  if ('error' in answer) return discover(requests, answer.error);
  send(notificationOf('notifications/initialized', {}));
  return {
    has: knows(answer.result),
    ask: (method, asked) => requests.ask(requests.nextId(), { method, params: asked }),
  };
}

async function discover(requests: ServerRequests, refused: JsonObject): Promise<ServerSession> {
  const meta = requestMeta(CLIENT);
  const ask = (method: string, params: JsonObject): Promise<RpcAnswer> =>
    requests.ask(requests.nextId(), { method, params: { ...params, _meta: meta } });
  const found = await ask('server/discover', {});
  if ('error' in found) throw errorToThrow(refused);
  const capabilities = objectAt(found.result, 'capabilities');
  const changing = LISTS.filter((list) => objectAt(capabilities, list)['listChanged'] === true);
  if (changing.length > 0) {
    const notifications = Object.fromEntries(changing.map((list) => [`${list}ListChanged`, true]));
    // Answered when it is over; a server that refuses it does not tell of changes.
    ask('subscriptions/listen', { notifications }).catch(() => {});
  }
  return { has: knows(found.result), ask };
}

function knows(result: JsonObject): (list: List) => boolean {
  const capabilities = objectAt(result, 'capabilities');
  return (list) => Object.hasOwn(capabilities, list);
}
