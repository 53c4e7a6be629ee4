import { CALLED_OFF, type OwnCallOutcome, type Owner, type WaitingClient } from '@proffer/client/own-calls';
import { defined, type JsonObject } from '@proffer/core/json';
import type { Origin } from '@proffer/core/operations';
import type { ServerRequests } from '../../channel/server-requests.js';
import { answerTo, type RpcAnswer, type RpcId, type RpcRequest } from '../../json-rpc.js';
import { type AnswerContext, answerFor, contextOf, offeredResult, stillWaitingResult } from '../answers.js';
import { type GatedCall, ParkedCallers } from '../calls/index.js';
import { type Run, runOnServer } from '../server/index.js';
import {
  type FollowedTasks,
  OwnTasks,
  type TaskState,
  taskCreated,
  taskResult,
  taskStateOf,
} from '../tasks/index.js';
import { asksForTask, type GuardedToolCall, requestedTtl } from '../tool-call.js';
import { waitingText } from '../waiting-text.js';
import type { GuardedConnectionOptions } from './guarded-connection.js';
import {
  createProgressReporter,
  NO_PROGRESS,
  type ProgressReporter,
  planHold,
  repeat,
} from './held-request.js';

/** What handling the calls of one connection needs, and how it reaches both sides. */
export interface CallHandlingOptions extends GuardedConnectionOptions {
  readonly requests: ServerRequests;
  /** The server's own tasks for calls of this connection. */
  readonly followed: FollowedTasks;
  /** On whose behalf a call with these params is made, as far as known. */
  readonly origin: (params: JsonObject) => Origin | undefined;
  /** To the client; false if it is gone. */
  readonly send: (message: JsonObject) => boolean;
  /** Answers the client; resolves with whether the answer arrived, as far as can be known here. */
  readonly tell: (id: RpcId, answer: RpcAnswer) => boolean | Promise<boolean>;
  /** To the server; `onResult` gets its answer, if that is a result. */
  readonly forward: (request: RpcRequest, onResult?: (result: JsonObject) => void) => void;
}

/**
 * What to do when the caller of a held request cancels it, or is gone.
 *
 * @param isUnwanted - whether it no longer wants it
 */
type Detach = (isUnwanted: boolean) => void;

/** Releases a request; false if it was cancelled before that, even if its id is in use again. */
type Release = () => boolean;

/** Held requests of one client, by id. An id may be reused once its request is cancelled. */
class HeldRequests {
  readonly #held = new Map<RpcId, { readonly detach: Detach }>();

  /** Holds a request until it is released or cancelled. */
  hold(id: RpcId, detach: Detach = () => {}): Release {
    const own = { detach };
    this.#held.set(id, own);
    return () => this.#held.get(id) === own && this.#held.delete(id);
  }

  get size(): number {
    return this.#held.size;
  }

  has(id: RpcId): boolean {
    return this.#held.has(id);
  }

  /** Cancels a request, so that its caller is detached; false if it is not held. */
  cancel(id: RpcId, isUnwanted = false): boolean {
    const held = this.#held.get(id);
    this.#held.delete(id);
    held?.detach(isUnwanted);
    return held !== undefined;
  }

  /** The ids of all. */
  ids(): readonly RpcId[] {
    return [...this.#held.keys()];
  }

  /** Cancels all. */
  close(): void {
    for (const id of this.#held.keys()) this.cancel(id);
  }
}

/**
 * Requests of one connection that wait for a guarded call, and callers that were answered and will come back
 * for it.
 */
export class Holding {
  /** The client's tasks. */
  readonly tasks: OwnTasks;
  /** Requests of the client that are held. */
  readonly held = new HeldRequests();
  readonly #options: CallHandlingOptions;
  readonly #parked: ParkedCallers;
  /** When calls were made that a repeating caller has as a task, if they had finished by then. */
  readonly #foundOver = new WeakMap<GatedCall, number>();

  constructor(options: CallHandlingOptions) {
    this.#options = options;
    const { pendingCalls, runOn } = options;
    this.#parked = runOn === undefined ? new ParkedCallers() : pendingCalls.parked;
    this.tasks = new OwnTasks(
      (id) => pendingCalls.known(id),
      runOn === undefined ? undefined : pendingCalls.calledOff,
    );
  }

  /**
   * The owner of the operations: those of a client with single requests are identified by its scope alone.
   */
  get owner(): Owner {
    const { runOn, scope } = this.#options;
    return runOn === undefined ? this : scope;
  }

  /** The connection has ended: nobody on it is waiting any more. */
  close(): void {
    this.held.close();
    // A client with single requests was told to come back for the rest.
    if (this.#options.runOn === undefined) this.#parked.close();
  }

  /** Someone on this connection still wants the call, without a waiting request. */
  #park(call: GatedCall, asked: GuardedToolCall, isTask: boolean, progress = NO_PROGRESS): void {
    const run: WaitingClient['run'] = (approval, stopping) =>
      this.#run({ call, asked, approval, progress, stopping });
    this.#parked.add(call, { run, comesBack: { owner: this.owner, isTask } });
  }

  /** Someone on this connection has the call as a task. */
  parkTask(call: GatedCall, asked: GuardedToolCall): void {
    this.#keepAsTask(call, asked);
    this.#park(call, asked, true);
  }

  #keepAsTask(call: GatedCall, asked: GuardedToolCall): void {
    this.tasks.add(call, requestedTtl(asked));
    call.tell({ type: 'take-as-task' });
    this.#promise(call);
  }

  /** The call waits until it expires. Not in a session: nobody can come back for it once that has ended. */
  #promise(call: GatedCall): void {
    const { runOn, scope } = this.#options;
    if (runOn !== undefined || scope === undefined) call.tell({ type: 'promise' });
  }

  /** The task's owner no longer wants it; it stays for other callers. If it is running, the server is asked to stop. */
  cancelTask(call: GatedCall): void {
    if (call.isRunning) call.dismiss(this.owner);
    if (call.outcome !== undefined || call.isRunning) return;
    // A task from an earlier run has no owner yet.
    if (this.#options.runOn !== undefined) this.#parked.remove(call);
    if (!call.dismiss(this.owner)) return;
    this.unpark(call);
    this.tasks.callOff(call);
  }

  /** The owner of the task has received the outcome. */
  unpark(call: GatedCall): void {
    this.#parked.remove(call);
  }

  /** Answers with the outcome of a task's call as soon as it has ended (2025-11-25). */
  awaitTask(id: RpcId, asked: GuardedToolCall, call: GatedCall): void {
    const progress = createProgressReporter(asked.progressToken, this.#options.send);
    const madeBefore = this.#foundOver.get(call);
    const about = { ...contextOf(asked, call.facts), ...defined({ madeBefore }) };
    const say = (outcome: OwnCallOutcome) =>
      this.#options.tell(id, taskResult(call, answerFor(outcome, about)));
    if (this.tasks.isCalledOff(call)) return void say({ type: 'withdrawn', reason: CALLED_OFF });
    const caller: WaitingClient = {
      run: (approval, stopping) => this.#run({ call, asked, approval, progress, stopping }),
      settle: (outcome) => {
        release();
        this.unpark(call);
        return say(outcome);
      },
      comesBack: { owner: this.owner, isTask: true },
    };
    const release = this.held.hold(id, () => call.leave(caller));
    call.join(caller);
  }

  /** The state of a call, as a task. */
  taskState(call: GatedCall): TaskState {
    const state = taskStateOf(call, this.#text(call));
    const wantedTtl = this.tasks.wantedTtl(call);
    return { ...state, wantedTtl, isCalledOff: state.isCalledOff || this.tasks.isCalledOff(call) };
  }

  /** Holds a request for a call in a way its caller supports, and answers it. */
  async hold(
    id: RpcId,
    asked: GuardedToolCall,
    call: GatedCall,
    about: Pick<AnswerContext, 'madeBefore'> = {},
  ): Promise<void> {
    const { settings, pendingCalls, send, tell, toolbook } = this.#options;
    const progress = createProgressReporter(asked.progressToken, send);
    if (asksForTask(asked, toolbook.taskSupport)) {
      if (about.madeBefore !== undefined) this.#foundOver.set(call, about.madeBefore);
      return await this.#giveTask(id, asked, call, progress);
    }
    const plan = planHold(asked, settings);
    let stop: (() => void) | undefined;
    let onOffer: (() => void) | undefined;
    const caller: WaitingClient = {
      run: (approval, stopping) => this.#run({ call, asked, approval, progress, stopping }),
      offered: () => onOffer?.(),
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
    const release = this.held.hold(id, (isUnwanted) => {
      leave();
      this.#lose(call, isUnwanted);
    });
    const letGo = (): void => {
      stop?.();
      if (!release()) return;
      this.#park(call, asked, false);
      if (this.#options.runOn !== undefined) this.#promise(call);
      leave();
      void pendingCalls.kept(call).then(() => this.#sayWaiting(id, asked, call));
    };
    if (plan.kind === 'wait') {
      onOffer = letGo;
      const stopWait = settings.clock.after(plan.for, letGo);
      const stopSaying = repeat(settings.clock, plan.sayEvery, () => progress.say(this.#text(call)));
      stop = () => {
        stopWait();
        stopSaying();
      };
    }
    call.join(caller);
    if (plan.kind !== 'task') return;
    await call.stored();
    // Not stored, or decided at once: it was already answered. Cancelled: nobody wants an answer.
    if (!release()) return;
    this.parkTask(call, asked);
    call.leave(caller);
    await pendingCalls.kept(call);
    this.#answer(id, { result: taskCreated(this.taskState(call), asked) });
  }

  /** A caller that asked for a task gets one, whatever happens to the call (2025-11-25). */
  async #giveTask(
    id: RpcId,
    asked: GuardedToolCall,
    call: GatedCall,
    progress: ProgressReporter,
  ): Promise<void> {
    const release = this.held.hold(id, (isUnwanted) => this.#lose(call, isUnwanted));
    this.#park(call, asked, true, progress);
    await call.stored();
    if (!release()) return;
    this.#keepAsTask(call, asked);
    await this.#options.pendingCalls.kept(call);
    this.#answer(id, { result: taskCreated(this.taskState(call), asked) });
  }

  /** A caller that cancels its wait is gone, even if an earlier answer let it come back. */
  #lose(call: GatedCall, isUnwanted: boolean): void {
    // A client without sessions that hangs up is away for a moment, if it was promised that the call waits.
    const isKept = call.state.isTask || (!isUnwanted && call.state.isPromised);
    if (!isKept) this.#parked.remove(call);
    if (isUnwanted) call.tell({ type: 'call-off' });
  }

  /** Answers a caller that would time out soon; it stays, and may ask again. */
  #sayWaiting(id: RpcId, asked: GuardedToolCall, call: GatedCall): void {
    const { outputSchema } = this.#options.toolbook.definition(asked.tool) ?? {};
    const context = { ...contextOf(asked, call.facts), promisesStructure: outputSchema !== undefined };
    const { offer } = call.state;
    const result =
      offer === undefined || call.isRunning
        ? stillWaitingResult(context, this.#text(call))
        : offeredResult(context, offer);
    this.#answer(id, { result });
  }

  #run(run: Run): Promise<RpcAnswer> {
    return runOnServer({ ...this.#options, owner: this.owner }, run);
  }

  #text(call: GatedCall): string {
    const { approvers, settings } = this.#options;
    const { isRunning, state, facts } = call;
    const about = { present: approvers(), isRunning, said: state.said, expiresAt: facts.expiresAt };
    return waitingText(about, settings.clock.now());
  }

  #answer(id: RpcId, answer: RpcAnswer): void {
    this.#options.send(answerTo(id, answer));
  }
}
