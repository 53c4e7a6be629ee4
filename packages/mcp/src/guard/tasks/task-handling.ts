import { isJsonObject, type JsonObject, listOf } from '@proffer/core/json';
import {
  INVALID_PARAMS,
  METHOD_NOT_FOUND,
  objectAt,
  paramsOf,
  type RpcAnswer,
  type RpcId,
  type RpcRequest,
} from '../../json-rpc.js';
import { isModern, TASKS_KEY, takesTasks } from '../../revision.js';
import { contextOf } from '../answers.js';
import { keyOfProposal } from '../call-identity.js';
import { type GatedCall, inputOf } from '../calls/index.js';
import type { CallHandlingOptions, Holding } from '../client/index.js';
import type { GuardedToolCall } from '../tool-call.js';
import type { FollowedTasks } from './followed-tasks.js';
import { TASK_ACKNOWLEDGED, taskNow } from './task-answers.js';

export interface TaskHandlingOptions {
  /** A call by its proposal, if this client may ask for it. */
  readonly find: (proposal: string) => Promise<GatedCall | undefined>;
  readonly holding: Holding;
  readonly followed: FollowedTasks;
  readonly tell: CallHandlingOptions['tell'];
  readonly forward: (request: RpcRequest) => void;
  /** Changes the server's answer to a request on its way to the client. */
  readonly change: (id: RpcId, change: (answer: RpcAnswer) => RpcAnswer) => void;
}

/** Requests about tasks that are gated calls; those about server tasks go to the server. */
export class TaskHandling {
  readonly #options: TaskHandlingOptions;

  constructor(options: TaskHandlingOptions) {
    this.#options = options;
  }

  /**
   * Handles a request about one of our tasks, or for a list that includes ours; false if it is only for the
   * server.
   */
  take(request: RpcRequest): boolean {
    if (request.method === 'tasks/list') return this.#list(request);
    const params = paramsOf(request);
    const { taskId } = params;
    if (typeof taskId !== 'string') return false;
    if (keyOfProposal(taskId) !== undefined) void this.#answer(request, taskId);
    else if (isModern(params) && MODERN_METHODS.has(request.method)) this.#forward(request);
    else return false;
    return true;
  }

  /**
   * A server without tasks does not know the method. For our client only the task is unknown: the guard has
   * tasks.
   */
  #forward(request: RpcRequest): void {
    this.#options.change(request.id, (answer) =>
      'error' in answer && answer.error['code'] === METHOD_NOT_FOUND
        ? { error: noSuchTask(paramsOf(request)) }
        : answer,
    );
    this.#options.forward(request);
  }

  /** Lists ours first (2025-11-25), the last of them together with the first of the server's. */
  #list(request: RpcRequest): boolean {
    const { tell, forward, change, holding, followed } = this.#options;
    const { cursor, ...params } = paramsOf(request);
    if (isModern(params) || !holding.tasks.isOwn(cursor)) return false;
    const page = holding.tasks.page(cursor);
    if (page === undefined) {
      void tell(request.id, { error: NO_SUCH_PART });
      return true;
    }
    const tasks = page.tasks.map((call) =>
      taskNow(holding.taskState(call), contextOf({ ...call.facts, isModern: false }, call.facts)),
    );
    if (page.next !== undefined) {
      void tell(request.id, { result: { tasks, nextCursor: page.next } });
      return true;
    }
    const isNone = cursor === undefined && tasks.length === 0;
    change(request.id, (answer) => {
      if ('error' in answer) {
        // A server may have tools that run as tasks without listing them.
        const hasNoList = answer.error['code'] === METHOD_NOT_FOUND;
        return hasNoList && !isNone ? { result: { tasks } } : answer;
      }
      const { tasks: listed } = answer.result;
      // A server task for one of ours is already in the list.
      const theirs = listOf(listed).filter((task) => !(isJsonObject(task) && followed.has(task['taskId'])));
      return { result: { ...answer.result, tasks: [...tasks, ...theirs] } };
    });
    forward({ ...request, params });
    return true;
  }

  async #answer(request: RpcRequest, taskId: string): Promise<void> {
    const { find, tell, holding } = this.#options;
    try {
      const call = await find(taskId);
      if (call === undefined) return this.#forward(request);
      const params = paramsOf(request);
      if (request.method === 'tasks/result' && !isModern(params))
        return holding.awaitTask(request.id, askedFor(call, params), call);
      // A caller that cancelled it does not learn how it ends for others.
      const holdsOutcome = isFinal(request, call) && !holding.tasks.isCalledOff(call);
      const isTold = tell(request.id, this.#answerFor(request, call));
      if (!holdsOutcome || !(await isTold)) return;
      call.tell({ type: 'deliver' });
      holding.unpark(call);
    } catch (error) {
      const message = `The task cannot be looked up now: ${error instanceof Error ? error.message : String(error)}`;
      void tell(request.id, { error: { code: INVALID_PARAMS, message } });
    }
  }

  #answerFor(request: RpcRequest, call: GatedCall): RpcAnswer {
    const { method } = request;
    const params = paramsOf(request);
    const { holding } = this.#options;
    const isCalledOff = holding.tasks.isCalledOff(call);
    const context = contextOf({ ...call.facts, isModern: isModern(params) }, call.facts);
    if (method === 'tasks/cancel') {
      const isTooLate = call.outcome !== undefined || call.isRunning || isCalledOff;
      if (!context.isModern && isTooLate) return { error: TOO_LATE };
      holding.cancelTask(call);
    }
    if (method === 'tasks/update' && !isCalledOff) inputOf(call).give(objectAt(params, 'inputResponses'));
    if (method !== 'tasks/get' && context.isModern) return { result: TASK_ACKNOWLEDGED };
    // The caller is present: it may run for them.
    if (method === 'tasks/get' && call.outcome === undefined && call.isOpen && !isCalledOff)
      holding.parkTask(call, askedFor(call, params));
    return { result: taskNow(holding.taskState(call), context) };
  }
}

/** The methods for tasks of 2026-07-28. */
const MODERN_METHODS: ReadonlySet<string> = new Set(['tasks/get', 'tasks/update', 'tasks/cancel']);

/** The answer for an unknown task; in 2026-07-28 clients have to declare that they support tasks. */
function noSuchTask(params: JsonObject): JsonObject {
  if (!isModern(params) || takesTasks(params)) return { code: INVALID_PARAMS, message: 'Task not found.' };
  return {
    code: MISSING_CAPABILITY,
    message: `Requests about tasks must declare the extension ${TASKS_KEY}.`,
    data: { requiredCapabilities: { extensions: { [TASKS_KEY]: {} } } },
  };
}

/** MCP: the request does not declare a capability that it needs. */
const MISSING_CAPABILITY = -32_021;

/** The answer to cancelling what can no longer be cancelled (2025-11-25). */
const TOO_LATE: JsonObject = {
  code: INVALID_PARAMS,
  message: 'The task was not cancelled: it is already running or has ended. What has started continues.',
};

/** The answer for an unknown page of the task list. */
const NO_SUCH_PART: JsonObject = {
  code: INVALID_PARAMS,
  message: 'Unknown cursor. Ask for the list without a cursor, then pass each nextCursor on unchanged.',
};

/** Whether the answer to a request completes it: in 2025-11-25 a result is requested afterwards. */
function isFinal(request: RpcRequest, { outcome }: GatedCall): boolean {
  if (request.method !== 'tasks/get' || outcome === undefined) return false;
  const hasResult = outcome.type !== 'withdrawn' && outcome.type !== 'failed';
  return isModern(paramsOf(request)) || !hasResult;
}

/** A call as if the client that polls its task had made it. */
function askedFor({ facts }: GatedCall, params: JsonObject): GuardedToolCall {
  const { tool, arguments: args } = facts;
  const meta = objectAt(params, '_meta');
  return {
    tool,
    arguments: args,
    params: { _meta: meta, name: tool, arguments: args },
    takesTask: true,
    isModern: isModern(params),
  };
}
