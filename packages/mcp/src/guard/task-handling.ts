import type { JsonObject } from '@proffer/core';
import { answerTo, INVALID_PARAMS, paramsOf, type RpcRequest } from '../json-rpc.js';
import type { CallHandling } from './call-handling.js';
import { keyOfProposal } from './call-key.js';
import type { Docket } from './docket.js';
import type { GatedCall } from './gated-call.js';
import { TASK_ACKNOWLEDGED, taskNow } from './task-answers.js';

export interface TaskHandlingOptions {
  readonly docket: Docket;
  /** A call by its proposal, if this client may ask for it. */
  readonly find: (proposal: string) => Promise<GatedCall | undefined>;
  readonly calls: CallHandling;
  /** To the client; false if it is gone. */
  readonly send: (message: JsonObject) => boolean;
  readonly forward: (request: RpcRequest) => void;
}

/** Requests about tasks that are gated calls; those about tasks of the server are the server's. */
export class TaskHandling {
  readonly #options: TaskHandlingOptions;

  constructor(options: TaskHandlingOptions) {
    this.#options = options;
  }

  /** Takes a request about a task of ours; false if the task is not ours. */
  take(request: RpcRequest): boolean {
    const { taskId } = paramsOf(request);
    if (typeof taskId !== 'string' || keyOfProposal(taskId) === undefined) return false;
    void this.#answer(request, taskId);
    return true;
  }

  async #answer(request: RpcRequest, taskId: string): Promise<void> {
    const { docket, find, send, forward } = this.#options;
    try {
      const call = await find(taskId);
      if (call === undefined) return forward(request);
      const isSent = send(answerTo(request.id, { result: this.#resultOf(request, call) }));
      if (isSent && request.method === 'tasks/get' && call.outcome !== undefined) docket.deliver(call);
    } catch (error) {
      const message = `The task cannot be looked up now: ${error instanceof Error ? error.message : String(error)}`;
      send(answerTo(request.id, { error: { code: INVALID_PARAMS, message } }));
    }
  }

  #resultOf({ method, params }: RpcRequest, call: GatedCall): JsonObject {
    const { docket, calls } = this.#options;
    if (method === 'tasks/cancel') docket.cancel(call, 'the caller called it off');
    if (method !== 'tasks/get') return TASK_ACKNOWLEDGED;
    const { tool, arguments: args, id } = call.facts;
    if (call.outcome === undefined) {
      // Whoever asks is there: it may run for them.
      const own =
        typeof params === 'object' && params !== null && '_meta' in params ? { _meta: params['_meta'] } : {};
      const asked = { tool, arguments: args, params: { ...own, name: tool, arguments: args } };
      calls.park(call, { ...asked, takesTask: true, isModern: true });
    }
    return taskNow(calls.taskState(call), { tool, isModern: true, proposal: id });
  }
}
