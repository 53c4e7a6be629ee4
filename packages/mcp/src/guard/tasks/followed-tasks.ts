import type { JsonObject, JsonValue } from '@proffer/core/json';
import { objectAt, paramsOf } from '../../json-rpc.js';
import { RELATED_TASK_KEY } from '../server/index.js';

/** The maximum number of remembered server tasks (I-7). */
const MAX_COUNT = 1_000;

/**
 * The server's tasks for guarded calls of one connection (2025-11-25). Its client has the same calls as tasks
 * of the guard, with other ids, and never sees the server's.
 */
export class FollowedTasks {
  /** The guard's id, which is the proposal's, by the server's; and the reverse. */
  readonly #own = new Map<JsonValue | undefined, string>();
  readonly #theirs = new Map<JsonValue | undefined, string>();

  add(theirs: string, own: string): void {
    this.#own.set(theirs, own);
    this.#theirs.set(own, theirs);
    const [oldest] = this.#own;
    if (this.#own.size <= MAX_COUNT || oldest === undefined) return;
    this.#own.delete(oldest[0]);
    this.#theirs.delete(oldest[1]);
  }

  /** Whether a server task is one that the client has as a task of the guard. */
  has(task: JsonValue | undefined): boolean {
    return this.#own.has(task);
  }

  /** A server message with the ids that its client knows; the message itself if it has none. */
  toClient(message: JsonObject): JsonObject {
    if (this.#own.size === 0 || message['params'] === undefined) return message;
    const params = paramsOf(message);
    const own = this.#own.get(params['taskId']);
    const isStatus = message['method'] === 'notifications/tasks/status' && own !== undefined;
    const renamed = related(isStatus ? { ...params, taskId: own } : params, this.#own);
    return renamed === params ? message : { ...message, params: renamed };
  }

  /** A client's answer with the ids that the server knows; the message itself if it has none. */
  toServer(message: JsonObject): JsonObject {
    if (this.#own.size === 0 || message['result'] === undefined) return message;
    const result = objectAt(message, 'result');
    const renamed = related(result, this.#theirs);
    return renamed === result ? message : { ...message, result: renamed };
  }
}

/** A message with its task renamed, if that has another name. */
function related(about: JsonObject, names: ReadonlyMap<JsonValue | undefined, string>): JsonObject {
  const meta = objectAt(about, '_meta');
  const task = objectAt(meta, RELATED_TASK_KEY);
  const taskId = names.get(task['taskId']);
  if (taskId === undefined) return about;
  return { ...about, _meta: { ...meta, [RELATED_TASK_KEY]: { ...task, taskId } } };
}
