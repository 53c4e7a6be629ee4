import type { Clock } from '@proffer/client/own-calls';
import type { JsonObject } from '@proffer/core/json';
import { INTERNAL_ERROR, objectAt, type RpcAnswer, textAt } from '../../json-rpc.js';
import type { TaskInput } from '../calls/index.js';

/** The server's own task, with which it answered a call. */
export interface ServerTask {
  readonly id: string;
  /** Whether it is from 2026-07-28; else 2025-11-25. */
  readonly isModern: boolean;
  /** How long to wait before polling it, in milliseconds. */
  readonly interval: number;
}

interface FollowOptions {
  readonly ask: (method: string, params: JsonObject) => Promise<RpcAnswer>;
  readonly clock: Clock;
  /** The `_meta` of requests about it. */
  readonly meta: JsonObject;
  /** Where to ask for the input it needs (2026-07-28); `undefined` if the caller has no task. */
  readonly input: () => TaskInput | undefined;
  /** Called with the server's progress. */
  readonly onStatus: (text: string) => void;
  /**
   * Aborted when nobody wants it any more: the server is asked to cancel it, and still reports how it ended.
   */
  readonly stopping?: AbortSignal;
}

/** The key that names the task of a message (2025-11-25). */
export const RELATED_TASK_KEY = 'io.modelcontextprotocol/related-task';

/** The default polling interval, and its minimum and maximum, in milliseconds. */
const USUAL = 1_000;
const SHORTEST = 50;
const LONGEST = 30_000;

/** How many requests about a task may be lost in a row before the task counts as lost. */
const MAX_LOST = 5;

/**
 * The task in a result; `undefined` if it is the tool's own result.
 *
 * @param isAskedFor - whether the call asked for a task, as those of 2025-11-25 do
 */
export function taskIn(result: JsonObject, isAskedFor: boolean): ServerTask | undefined {
  const isModern = result['resultType'] === 'task';
  const task = isModern ? result : objectAt(isAskedFor ? result : {}, 'task');
  const { taskId } = task;
  return typeof taskId === 'string' ? { id: taskId, isModern, interval: intervalIn(task) } : undefined;
}

/**
 * Polls the server's task, as a client would, until it has finished; returns what the tool itself would have answered.
 * Fails if the server does not say how it ended: then the outcome is unknown.
 */
export async function followTask(task: ServerTask, options: FollowOptions): Promise<RpcAnswer> {
  const { clock, input, onStatus, stopping, ask, meta } = options;
  const cancel = (): void => void ask('tasks/cancel', paramsFor(task, meta)).catch(() => {});
  if (stopping?.aborted === true) cancel();
  stopping?.addEventListener('abort', cancel, { once: true });
  const mark = input()?.nextMark() ?? '';
  let { interval } = task;
  let said = '';
  let lost = 0;
  for (;;) {
    await new Promise<void>((resolve) => clock.after(interval, resolve));
    let now: JsonObject;
    try {
      now = await stateOf(task, options);
      lost = 0;
    } catch (error) {
      if (error instanceof TaskGoneError || ++lost === MAX_LOST) throw asUnknown(error);
      continue;
    }
    interval = intervalIn(now);
    const status = textAt(now, 'status');
    const message = textAt(now, 'statusMessage');
    if (message !== said && message !== '') onStatus(message);
    said = message;
    if (status !== 'input_required') input()?.done();
    const ended = await endOf(task, now, options);
    if (ended !== undefined) return ended;
    if (status === 'input_required') wantInput(task, now, { ...options, mark });
  }
}

/** The server does not know the task, or says that it cannot be polled. */
class TaskGoneError extends Error {}

async function stateOf(task: ServerTask, { ask, meta }: FollowOptions): Promise<JsonObject> {
  const answer = await ask('tasks/get', paramsFor(task, meta));
  if ('result' in answer) return answer.result;
  throw new TaskGoneError(
    `The server started a task but does not report its progress: ${said(answer.error)}`,
  );
}

/** The tool's answer; `undefined` while there is none. */
async function endOf(
  task: ServerTask,
  now: JsonObject,
  { ask, meta }: FollowOptions,
): Promise<RpcAnswer | undefined> {
  const status = textAt(now, 'status');
  const message = textAt(now, 'statusMessage');
  if (status === 'cancelled')
    return {
      error: { code: INTERNAL_ERROR, message: `The server cancelled its task. ${message}`.trimEnd() },
    };
  if (task.isModern) {
    if (status === 'completed') return { result: objectAt(now, 'result') };
    const unsaid = { code: INTERNAL_ERROR, message: `The server's task failed. ${message}`.trimEnd() };
    return status === 'failed' ? { error: { ...unsaid, ...objectAt(now, 'error') } } : undefined;
  }
  // The server asks its client for input while the result is awaited (2025-11-25).
  if (status !== 'completed' && status !== 'failed' && status !== 'input_required') return undefined;
  try {
    const answer = await ask('tasks/result', paramsFor(task, meta));
    return 'result' in answer ? { result: withoutRelatedTask(answer.result) } : answer;
  } catch (error) {
    if (status === 'input_required') return undefined;
    throw asUnknown(error);
  }
}

function wantInput(
  task: ServerTask,
  now: JsonObject,
  { ask, meta, input, mark }: FollowOptions & { readonly mark: string },
): void {
  const asked = input();
  if (asked === undefined)
    throw new Error('The server asks for more input for its task, and its caller cannot be asked.');
  const give = (inputResponses: JsonObject): void => {
    // Lost input requests are repeated the next time the task is polled.
    ask('tasks/update', { ...paramsFor(task, meta), inputResponses }).catch(() => {});
  };
  asked.show(objectAt(now, 'inputRequests'), mark, { give, fail: () => {} });
}

function paramsFor({ id }: ServerTask, meta: JsonObject): JsonObject {
  return { taskId: id, ...(Object.keys(meta).length === 0 ? {} : { _meta: meta }) };
}

function intervalIn({ pollInterval, pollIntervalMs }: JsonObject): number {
  const given = pollIntervalMs ?? pollInterval;
  return typeof given === 'number' ? Math.min(LONGEST, Math.max(SHORTEST, given)) : USUAL;
}

/** A rejected request about it does not mean that the task was not started. */
function asUnknown(error: unknown): Error {
  return new Error(error instanceof Error ? error.message : String(error), { cause: error });
}

function said(error: JsonObject): string {
  return textAt(error, 'message') || 'it answered with an error.';
}

/** The client does not know the server's own task. */
function withoutRelatedTask(result: JsonObject): JsonObject {
  const { _meta, ...rest } = result;
  const meta = Object.entries(objectAt(result, '_meta')).filter(([key]) => key !== RELATED_TASK_KEY);
  return meta.length === 0 ? rest : { ...rest, _meta: Object.fromEntries(meta) };
}
