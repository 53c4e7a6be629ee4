import type { JsonObject } from '@proffer/core';
import { describeRule } from '@proffer/steward';
import {
  answerTo,
  INTERNAL_ERROR,
  INVALID_PARAMS,
  objectAt,
  type RpcAnswer,
  type RpcId,
  type RpcRequest,
  requestOf,
} from '../json-rpc.js';
import {
  type AnswerContext,
  answerFor,
  contextOf,
  deniedResult,
  refusalResult,
  stillWaitingResult,
} from './answers.js';
import { decideCall } from './decide-call.js';
import { outcomeOfAnswer } from './failure-outcome.js';
import type { Approval, Caller, GatedCall } from './gated-call.js';
import type { GuardedConnectionOptions } from './guarded-connection.js';
import { createProgressTeller, type ProgressTeller, repeat } from './held-request.js';
import { HeldRequests } from './held-requests.js';
import { planHold } from './hold-plan.js';
import { bringsAnswers, NOT_ASKED_FOR, type Owner, type Round } from './next-rounds.js';
import type { Outcome } from './outcome.js';
import { limitOnProposal } from './proposal-limits.js';
import { askOnce, type ServerRequests } from './server-requests.js';
import { type TaskState, taskCreated } from './task-answers.js';
import { asIfAsked, paramsToRun, type ToolCall } from './tool-call.js';
import { WAIT_TOOL } from './wait-tool.js';
import { waitingText } from './waiting-text.js';

export interface CallHandlingOptions extends GuardedConnectionOptions {
  readonly requests: ServerRequests;
  /** To the client; false if it is gone. */
  readonly send: (message: JsonObject) => boolean;
  /** To the server; `onResult` sees what it answers with, if that is a result. */
  readonly forward: (request: RpcRequest, onResult?: (result: JsonObject) => void) => void;
}

/** Calls of tools on one connection: passed on, denied, or held until somebody has decided. */
export class CallHandling {
  readonly #options: CallHandlingOptions;
  readonly #held = new HeldRequests();
  /** Callers that have an answer already and come back for the outcome, by proposal. */
  readonly #parked = new Map<string, { readonly call: GatedCall; readonly caller: Caller }>();

  constructor(options: CallHandlingOptions) {
    this.#options = options;
  }

  /** Takes a call as soon as something else is ready, unless it is called off before that. */
  takeAfter(ready: Promise<void>, id: RpcId, call: ToolCall): void {
    const release = this.#held.hold(id);
    const taking = async (): Promise<void> => {
      await ready;
      if (release()) this.take(id, call);
    };
    this.#answerIfItFails(id, taking());
  }

  take(id: RpcId, call: ToolCall): void {
    const { toolbook, docket, records, forward } = this.#options;
    if (call.tool === WAIT_TOOL && toolbook.definition(WAIT_TOOL) === undefined)
      return this.#answerIfItFails(id, this.#wait(id, call));
    const round = docket.rounds.take(call, this.#owner);
    const args = round?.approved ?? call.arguments;
    const decision = decideCall(this.#options, call.tool, args);
    const { action, reason, rule } = decision;
    if (action === 'deny') {
      const result = deniedResult(reason, rule === undefined ? undefined : describeRule(rule), call);
      this.#answer(id, { result });
      return records.note({ tool: call.tool, arguments: args, decision });
    }
    if (round?.by !== undefined)
      return this.#answerIfItFails(id, this.#goOn(id, call, { ...round, by: round.by }));
    const isAllowed = action === 'allow' && !toolbook.isChanged(call.tool);
    // Nobody who decides sees them, so they are only for what was decided about before.
    if (bringsAnswers(call) && (round === undefined || !isAllowed))
      return this.#answer(id, { error: { code: INVALID_PARAMS, message: NOT_ASKED_FOR } });
    if (isAllowed) {
      const own = { tool: call.tool, asked: args, approved: args, edit: [], owner: this.#owner };
      forward(requestOf(id, 'tools/call', call.params), (result) => docket.rounds.expect(own, result));
      return records.note({ tool: call.tool, arguments: args, decision });
    }
    const limit = limitOnProposal(call.tool, args);
    if (limit !== undefined) return this.#answer(id, answerFor({ type: 'unavailable', why: limit }, call));
    const isListed = toolbook.definition(call.tool) !== undefined;
    this.#answerIfItFails(id, isListed ? this.#gate(id, call) : this.#gateUnlisted(id, call));
  }

  /** Whose operations they are: a client's that comes with one request and goes are told by its scope alone. */
  get #owner(): Owner {
    const { runOn, scope } = this.#options;
    return runOn === undefined ? this : scope;
  }

  /** The next round of what was approved: it runs with the arguments that were approved, and no others. */
  async #goOn(id: RpcId, call: ToolCall, round: Round & { readonly by: string }): Promise<void> {
    const release = this.#held.hold(id);
    const { by, edit, approved } = round;
    const progress = createProgressTeller(call.progressToken, this.#options.send);
    const asked = { ...call, arguments: round.asked };
    const running = this.#run(asked, { by, edit, arguments: approved }, progress);
    const outcome = await running.then<Outcome, Outcome>(
      (answer) => outcomeOfAnswer(answer, { by, edit }),
      (error: unknown) => ({ type: 'unknown', why: messageOf(error), by, edit }),
    );
    if (release()) this.#answer(id, answerFor(outcome, call));
  }

  /** Whether a request of the client is held. */
  isHeld(id: RpcId): boolean {
    return this.#held.has(id);
  }

  /** Calls off a held request: its caller is detached, and may come back. False if it is not held. */
  cancel(id: RpcId): boolean {
    return this.#held.cancel(id);
  }

  /** The connection is over: nobody on it waits any more. */
  close(): void {
    this.#held.close();
    for (const { call, caller } of this.#parked.values()) call.leave(caller);
    this.#parked.clear();
  }

  /** Somebody on this connection still wants the call, without a request that waits for it. */
  park(call: GatedCall, asked: ToolCall): void {
    this.#unpark(call);
    const caller: Caller = {
      run: (approved) =>
        this.#run(
          asked,
          approved,
          createProgressTeller(undefined, () => {}),
        ),
    };
    this.#parked.set(call.facts.id, { call, caller });
    call.join(caller);
  }

  /** How a call is going, as a task. */
  taskState(call: GatedCall): TaskState {
    const { id, createdAt, expiresAt } = call.facts;
    return {
      proposal: id,
      createdAt,
      changedAt: call.changedAt,
      ...(expiresAt === undefined ? {} : { expiresAt }),
      status: this.#text(call),
      ...(call.outcome === undefined ? {} : { outcome: call.outcome }),
    };
  }

  async #gate(id: RpcId, call: ToolCall): Promise<void> {
    const { docket, scope, noticeMeta } = this.#options;
    noticeMeta(objectAt(call.params, '_meta'));
    const gated = docket.gate(call.tool, call.arguments, scope);
    await this.#hold(id, call, gated, gated.isEarlier ? { madeBefore: gated.facts.createdAt } : {});
  }

  async #gateUnlisted(id: RpcId, call: ToolCall): Promise<void> {
    const release = this.#held.hold(id);
    const isOffered = await this.#options.toolbook.offer(call.tool);
    if (!release()) return;
    if (isOffered) return await this.#gate(id, call);
    const text = 'The server does not list this tool, and too many such tools were called. Nothing was run.';
    this.#answer(id, { result: refusalResult('unavailable', text, call) });
  }

  async #wait(id: RpcId, asked: ToolCall): Promise<void> {
    const { proposal } = asked.arguments;
    const release = this.#held.hold(id);
    const call = typeof proposal === 'string' ? await this.#find(proposal) : undefined;
    if (!release()) return;
    if (call !== undefined) return await this.#hold(id, asIfAsked(asked, call.facts), call);
    const text = 'There is no call that waits under this id. Use the id that the answer of the tool named.';
    this.#answer(id, { result: refusalResult('unknown_proposal', text, { ...asked, tool: WAIT_TOOL }) });
  }

  async #find(proposal: string): Promise<GatedCall | undefined> {
    try {
      return await this.#options.docket.find(proposal, this.#options.scope);
    } catch {
      return undefined;
    }
  }

  async #hold(
    id: RpcId,
    asked: ToolCall,
    call: GatedCall,
    about: Pick<AnswerContext, 'madeBefore'> = {},
  ): Promise<void> {
    const { settings, docket, send } = this.#options;
    const plan = planHold(asked, settings);
    const progress = createProgressTeller(asked.progressToken, send);
    let stop: (() => void) | undefined;
    const caller: Caller = {
      run: (approved) => this.#run(asked, approved, progress),
      settle: (outcome) => {
        stop?.();
        release();
        this.#unpark(call);
        return send(answerTo(id, answerFor(outcome, { ...contextOf(asked, call.facts), ...about })));
      },
    };
    const detach = (): void => {
      stop?.();
      call.leave(caller);
    };
    const release = this.#held.hold(id, detach);
    if (plan.kind === 'progress')
      stop = repeat(settings.clock, plan.every, () => progress.say(this.#text(call)));
    const letGo = (): void => {
      if (!release()) return;
      this.park(call, asked);
      detach();
      this.#sayWaiting(id, asked, call);
    };
    if (plan.kind === 'wait') stop = settings.clock.after(plan.for, letGo);
    call.join(caller);
    if (plan.kind !== 'task') return;
    await docket.stored(call);
    // Not stored, or decided at once: then the answer was given. Called off: then nobody wants one.
    if (!release()) return;
    call.isTask = true;
    this.park(call, asked);
    call.leave(caller);
    this.#answer(id, { result: taskCreated(this.taskState(call)) });
  }

  /** Answers a caller that would give up by itself soon; it stays, and may ask again. */
  #sayWaiting(id: RpcId, asked: ToolCall, call: GatedCall): void {
    const definition = this.#options.toolbook.definition(asked.tool);
    const promisesStructure = definition?.['outputSchema'] !== undefined;
    const context = { ...contextOf(asked, call.facts), promisesStructure };
    this.#answer(id, { result: stillWaitingResult(context, this.#text(call)) });
  }

  #unpark(call: GatedCall): void {
    const parked = this.#parked.get(call.facts.id);
    if (parked === undefined) return;
    this.#parked.delete(call.facts.id);
    call.leave(parked.caller);
  }

  async #run(asked: ToolCall, approval: Approval, progress: ProgressTeller): Promise<RpcAnswer> {
    const { by, edit, arguments: approved } = approval;
    const { requests, runOn, docket, send } = this.#options;
    const request = (id: string) => ({ method: 'tools/call', params: paramsToRun(asked, approved, id) });
    const relay = (told: JsonObject): void => progress.relay(told);
    const id = requests.nextId();
    const answer =
      runOn === undefined
        ? await requests.ask(id, request(id), relay)
        : await askOnce(runOn(), request, { onProgress: relay, onLog: send });
    if ('result' in answer) {
      const round = { tool: asked.tool, asked: asked.arguments, approved, by, edit, owner: this.#owner };
      docket.rounds.expect(round, answer.result);
    }
    return answer;
  }

  #text(call: GatedCall): string {
    const { approvers, settings } = this.#options;
    const { expiresAt } = call.facts;
    const state = {
      present: approvers(),
      isRunning: call.isRunning,
      ...(expiresAt === undefined ? {} : { expiresAt }),
      ...(call.said === undefined ? {} : { said: call.said }),
    };
    return waitingText(state, settings.clock.now());
  }

  /** Whatever goes wrong here is told to the caller, who would wait for ever otherwise. */
  #answerIfItFails(id: RpcId, work: Promise<void>): void {
    work.catch((error: unknown) => {
      this.cancel(id);
      const message = `Something went wrong inside the guard: ${messageOf(error)}`;
      this.#options.settings.log(message);
      this.#answer(id, { error: { code: INTERNAL_ERROR, message } });
    });
  }

  #answer(id: RpcId, answer: RpcAnswer): void {
    this.#options.send(answerTo(id, answer));
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
