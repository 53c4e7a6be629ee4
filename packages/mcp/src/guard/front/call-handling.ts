import { describeRule } from '@proffer/steward';
import { answerTo, INVALID_PARAMS, objectAt, type RpcAnswer, type RpcId, requestOf } from '../../json-rpc.js';
import { asHeld, asIfAsked, asksForTask, limitOnCall, type ToolCall } from '../asked/index.js';
import type { Caller, GatedCall } from '../calls/index.js';
import { decideCall } from '../decisions/index.js';
import {
  type AnswerContext,
  answerFor,
  CALLED_OFF,
  contextOf,
  deniedResult,
  nothingWaits,
  notListed,
  type Outcome,
  stillWaitingResult,
  WAIT_TOOL,
  waitingTextOf,
  wentWrong,
} from '../outcomes/index.js';
import { type ApprovedRound, bringsAnswers, isApproved, NOT_ASKED_FOR, type Owner } from '../rounds/index.js';
import { type Run, runOnServer } from '../server/index.js';
import { OwnTasks, type TaskState, taskCreated, taskResult, taskStateOf } from '../tasks/index.js';
import type { CallHandlingOptions } from './call-handling-options.js';
import { createProgressTeller, NO_PROGRESS, type ProgressTeller, repeat } from './held-request.js';
import { HeldRequests } from './held-requests.js';
import { planHold } from './hold-plan.js';
import { ParkedCallers } from './parked-callers.js';

/** Calls of tools on one connection: passed on, denied, or held until somebody has decided. */
export class CallHandling {
  /** What the client has as tasks. */
  readonly tasks: OwnTasks;
  readonly #options: CallHandlingOptions;
  readonly #held = new HeldRequests();
  readonly #parked = new ParkedCallers();
  /** When calls were made that somebody who made the same call again has as a task, if they were over by then. */
  readonly #foundOver = new WeakMap<GatedCall, number>();

  constructor(options: CallHandlingOptions) {
    this.#options = options;
    const { docket, runOn } = options;
    this.tasks = new OwnTasks((id) => docket.known(id), runOn === undefined ? undefined : docket.calledOff);
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
    const { toolbook, docket, records, forward, scope } = this.#options;
    if (call.tool === WAIT_TOOL && toolbook.definition(WAIT_TOOL) === undefined)
      return this.#answerIfItFails(id, this.#wait(id, call));
    const taken = docket.rounds.take(call, this.#owner);
    const begun = taken?.isTaken === true && isApproved(taken.round) && docket.resumed(taken.round);
    if (begun) return this.#answerIfItFails(id, this.#join(id, call, begun));
    const round = taken?.isTaken === true ? undefined : taken?.round;
    const args = round?.approved ?? call.arguments;
    const decision = decideCall(this.#options, call.tool, args, call.params);
    const { action, reason, rule } = decision;
    if (action === 'deny') {
      const result = deniedResult(reason, rule === undefined ? undefined : describeRule(rule), call);
      this.#answer(id, { result });
      return records.note({ tool: call.tool, arguments: args, decision });
    }
    if (isApproved(round)) return this.#answerIfItFails(id, this.#goOn(id, call, round));
    const isAllowed = action === 'allow' && !toolbook.isUntrusted(call.tool);
    // Nobody who decides sees them, so they are only for what was decided about before.
    if (bringsAnswers(call) && (round === undefined || !isAllowed)) {
      if (docket.isUnknown(call.tool, args, scope)) return this.#answerIfItFails(id, this.#gate(id, call));
      return this.#answer(id, { error: { code: INVALID_PARAMS, message: NOT_ASKED_FOR } });
    }
    if (isAllowed) {
      const own = { tool: call.tool, asked: args, approved: args, edit: [], owner: this.#owner };
      forward(requestOf(id, 'tools/call', call.params), (result) => docket.rounds.expect(own, result));
      return records.note({ tool: call.tool, arguments: args, decision });
    }
    const limit = limitOnCall(call) ?? docket.limitOn(call.tool, args, scope);
    if (limit !== undefined) return this.#answer(id, answerFor({ type: 'unavailable', why: limit }, call));
    const isOffered = toolbook.isOffered(call.tool);
    this.#answerIfItFails(id, isOffered ? this.#gate(id, call) : this.#gateUnlisted(id, call));
  }

  /** Whose operations they are: a client's that comes with one request and goes are told by its scope alone. */
  get #owner(): Owner {
    const { runOn, scope } = this.#options;
    return runOn === undefined ? this : scope;
  }

  /** The next round of what was approved: it runs with the arguments that were approved, and no others. */
  async #goOn(id: RpcId, call: ToolCall, round: ApprovedRound): Promise<void> {
    await this.#hold(id, { ...call, arguments: round.asked }, this.#options.docket.resume(round));
  }

  /** Requests of the client that are held. */
  get held(): Pick<HeldRequests, 'has' | 'ids' | 'size'> {
    return this.#held;
  }

  /** Calls off a held request: its caller is detached, and may come back if it wants it. False if it is not held. */
  cancel(id: RpcId, isUnwanted = false): boolean {
    return this.#held.cancel(id, isUnwanted);
  }

  /** The connection is over: nobody on it waits any more. */
  close(): void {
    this.#held.close();
    this.#parked.close();
  }

  /** Somebody on this connection still wants the call, without a request that waits for it. */
  #park(call: GatedCall, asked: ToolCall, isTask: boolean, progress = NO_PROGRESS): void {
    const run: Caller['run'] = (approval) => this.#run({ call, asked, approval, progress });
    this.#parked.add(call, { run, comesBack: { owner: this.#owner, isTask } });
  }

  /** Somebody on this connection has the call as a task. */
  parkTask(call: GatedCall, asked: ToolCall): void {
    this.tasks.add(call);
    call.tell({ type: 'take-as-task' });
    this.#park(call, asked, true);
  }

  /** Whoever has it as a task does not want it any more; it stays for whoever else waits. What has begun goes on. */
  cancelTask(call: GatedCall): void {
    if (call.outcome !== undefined || call.isRunning) return;
    if (!call.dismiss(this.#owner)) return;
    this.unpark(call);
    this.tasks.callOff(call);
  }

  /** Whoever has a call as a task has heard how it ended. */
  unpark(call: GatedCall): void {
    this.#parked.remove(call);
  }

  /** Answers, as soon as a call that somebody has as a task is over, with how it ended (2025-11-25). */
  awaitTask(id: RpcId, asked: ToolCall, call: GatedCall): void {
    const progress = createProgressTeller(asked.progressToken, this.#options.send);
    const madeBefore = this.#foundOver.get(call);
    const about = { ...contextOf(asked, call.facts), ...(madeBefore === undefined ? {} : { madeBefore }) };
    const say = (outcome: Outcome) => this.#options.tell(id, taskResult(call, answerFor(outcome, about)));
    if (this.tasks.isCalledOff(call)) return void say({ type: 'withdrawn', reason: CALLED_OFF });
    const caller: Caller = {
      run: (approval) => this.#run({ call, asked, approval, progress }),
      settle: (outcome) => {
        release();
        this.unpark(call);
        return say(outcome);
      },
      comesBack: { owner: this.#owner, isTask: true },
    };
    const release = this.#held.hold(id, () => call.leave(caller));
    call.join(caller);
  }

  /** How a call is going, as a task. */
  taskState(call: GatedCall): TaskState {
    const state = taskStateOf(call, this.#text(call));
    return { ...state, isCalledOff: state.isCalledOff || this.tasks.isCalledOff(call) };
  }

  async #gate(id: RpcId, call: ToolCall): Promise<void> {
    const { docket, scope, noticeMeta } = this.#options;
    noticeMeta(objectAt(call.params, '_meta'));
    const gated = docket.gate(call.tool, call.arguments, scope);
    await this.#join(id, asHeld(call, gated.facts), gated);
  }

  async #join(id: RpcId, asked: ToolCall, call: GatedCall): Promise<void> {
    await this.#hold(id, asked, call, call.state.isEarlier ? { madeBefore: call.facts.createdAt } : {});
  }

  async #gateUnlisted(id: RpcId, call: ToolCall): Promise<void> {
    const release = this.#held.hold(id);
    const isOffered = await this.#options.toolbook.offer(call.tool);
    if (!release()) return;
    if (isOffered) return await this.#gate(id, call);
    this.#answer(id, { result: notListed(call) });
  }

  async #wait(id: RpcId, asked: ToolCall): Promise<void> {
    const { docket, scope } = this.#options;
    const { proposal } = asked.arguments;
    const release = this.#held.hold(id);
    const wanted = typeof proposal === 'string' ? proposal : '';
    const call = await docket.find(wanted, scope).catch(() => undefined);
    if (!release()) return;
    if (call !== undefined) return await this.#hold(id, asIfAsked(asked, call.facts), call);
    this.#answer(id, { result: nothingWaits(asked) });
  }

  async #hold(
    id: RpcId,
    asked: ToolCall,
    call: GatedCall,
    about: Pick<AnswerContext, 'madeBefore'> = {},
  ): Promise<void> {
    const { settings, docket, send, tell, toolbook } = this.#options;
    const progress = createProgressTeller(asked.progressToken, send);
    if (asksForTask(asked, toolbook.taskSupport)) {
      if (about.madeBefore !== undefined) this.#foundOver.set(call, about.madeBefore);
      return await this.#giveTask(id, asked, call, progress);
    }
    const plan = planHold(asked, settings);
    let stop: (() => void) | undefined;
    const caller: Caller = {
      run: (approval) => this.#run({ call, asked, approval, progress }),
      settle: (outcome) => {
        stop?.();
        release();
        this.#parked.remove(call);
        return tell(id, answerFor(outcome, { ...contextOf(asked, call.facts), ...about }));
      },
    };
    const leave = (): void => {
      stop?.();
      call.leave(caller);
    };
    const release = this.#held.hold(id, (isUnwanted) => {
      leave();
      this.#lose(call, isUnwanted);
    });
    if (plan.kind === 'progress')
      stop = repeat(settings.clock, plan.every, () => progress.say(this.#text(call)));
    const letGo = (): void => {
      if (!release()) return;
      this.#park(call, asked, false);
      leave();
      this.#sayWaiting(id, asked, call);
    };
    if (plan.kind === 'wait') stop = settings.clock.after(plan.for, letGo);
    call.join(caller);
    if (plan.kind !== 'task') return;
    await docket.stored(call);
    // Not stored, or decided at once: then the answer was given. Called off: then nobody wants one.
    if (!release()) return;
    this.parkTask(call, asked);
    call.leave(caller);
    this.#answer(id, { result: taskCreated(this.taskState(call), asked) });
  }

  /** Whoever asks for a task gets one, whatever comes of the call (2025-11-25). */
  async #giveTask(id: RpcId, asked: ToolCall, call: GatedCall, progress: ProgressTeller): Promise<void> {
    const release = this.#held.hold(id, (isUnwanted) => this.#lose(call, isUnwanted));
    this.#park(call, asked, true, progress);
    await this.#options.docket.stored(call);
    if (!release()) return;
    this.tasks.add(call);
    call.tell({ type: 'take-as-task' });
    this.#answer(id, { result: taskCreated(this.taskState(call), asked) });
  }

  /** Whoever calls off what they wait for is gone, also if an earlier answer let them come back. */
  #lose(call: GatedCall, isUnwanted: boolean): void {
    if (!call.state.isTask) this.#parked.remove(call);
    if (isUnwanted) call.tell({ type: 'call-off' });
  }

  /** Answers a caller that would give up by itself soon; it stays, and may ask again. */
  #sayWaiting(id: RpcId, asked: ToolCall, call: GatedCall): void {
    const { outputSchema } = this.#options.toolbook.definition(asked.tool) ?? {};
    const context = { ...contextOf(asked, call.facts), promisesStructure: outputSchema !== undefined };
    this.#answer(id, { result: stillWaitingResult(context, this.#text(call)) });
  }

  #run(run: Run): Promise<RpcAnswer> {
    return runOnServer({ ...this.#options, owner: this.#owner }, run);
  }

  #text(call: GatedCall): string {
    const { approvers, settings } = this.#options;
    return waitingTextOf(call, approvers(), settings.clock.now());
  }

  /** Whatever goes wrong here is told to the caller, who would wait for ever otherwise. */
  #answerIfItFails(id: RpcId, work: Promise<void>): void {
    work.catch((error: unknown) => {
      this.cancel(id);
      const failure = wentWrong(error);
      this.#options.settings.log(failure.message);
      this.#answer(id, { error: failure });
    });
  }

  #answer(id: RpcId, answer: RpcAnswer): void {
    this.#options.send(answerTo(id, answer));
  }
}
