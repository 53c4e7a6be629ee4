import type { OperationFailedError } from '@proffer/client/participation';
import { defined, type JsonObject, type JsonValue } from '@proffer/core/json';
import { NotTakenError } from '../../channel/not-taken.js';
import type { Clock } from '../../clock.js';
import type { RpcAnswer } from '../../json-rpc.js';
import { outcomeLost } from '../../outcome-lost.js';
import type { GatedCallFacts } from '../asked/index.js';
import {
  CALLED_OFF,
  changeDenied,
  errorToThrow,
  keptResult,
  nobodyWaits,
  notTaken,
  type Outcome,
  outcomeOfAnswer,
  outcomeOfLostRun,
} from '../outcomes/index.js';
import type { Owner } from '../rounds/index.js';
import type { CallCommand, CallEffect, NotRun } from './call-events.js';
import { type CallState, isBefore, isOpen, isUnattended, outcomeOf, windowSince } from './call-state.js';
import type { Caller } from './caller.js';
import { decide } from './decide.js';
import { evolve } from './evolve.js';
import { TaskInput } from './task-input.js';

export interface GatedCallOptions {
  readonly clock: Clock;
  /** How long a call without a caller waits for one to return, in milliseconds. */
  readonly window: number;
  /**
   * Why the rules do not allow the call with these arguments; `undefined` if they do. Default: all are
   * allowed.
   */
  readonly denial?: (args: JsonObject) => string | undefined;
  /** Withdraws the proposal in the space. */
  readonly withdraw?: (reason: string) => void;
  /**
   * Stores what must survive if this process ends at the next instruction. The server is called after that.
   */
  readonly beforeRun?: () => Promise<void>;
  /** Called with every change and the state before it. */
  readonly onChange?: (before: CallState) => void;
}

/**
 * How long after its deadline the gateway may still report that a proposal has expired, in milliseconds
 * (O-19).
 */
const SLACK = 10_000;

interface Approver {
  readonly resolve: (kept: JsonValue) => void;
  readonly reject: (error: Error) => void;
}

/**
 * A guarded call with its timers and callers. {@link decide} decides what happens to it; this only carries it
 * out.
 */
export class GatedCall {
  /** Its questions to a caller that has it as a task. */
  readonly input = new TaskInput();
  readonly #options: GatedCallOptions;
  readonly #callers = new Map<number, Caller>();
  readonly #approvers = new Map<number, Approver>();
  #state: CallState;
  readonly #stopping = new AbortController();
  #count = 0;
  #window: { readonly since: number; readonly stop: () => void } | undefined;
  #stopDeadline: (() => void) | undefined;

  constructor(state: CallState, options: GatedCallOptions) {
    this.#state = state;
    this.#options = options;
    this.#setTimers();
  }

  get state(): CallState {
    return this.#state;
  }

  get facts(): GatedCallFacts {
    return this.#state.facts;
  }

  /** Its outcome; `undefined` while it has none. */
  get outcome(): Outcome | undefined {
    return outcomeOf(this.#state);
  }

  get isRunning(): boolean {
    return this.#state.phase.type === 'running';
  }

  /** Whether a repeated call joins this one: it has not been given up. */
  get isOpen(): boolean {
    return isOpen(this.#state);
  }

  /** Whether it is only waiting for a caller to start. */
  get isUnattended(): boolean {
    return isUnattended(this.#state);
  }

  /** Adds a caller, which gets the outcome, at once if there is one. */
  join(caller: Caller): void {
    const number = ++this.#count;
    this.#callers.set(number, caller);
    const { comesBack } = caller;
    const isTold = caller.settle !== undefined;
    this.tell({
      type: 'join',
      caller: { number, isTold, ...defined({ comesBack }) },
    });
  }

  /** A caller was cancelled or dropped, or continues in another way. */
  leave(caller: Caller): void {
    for (const [number, one] of this.#callers) {
      if (one !== caller) continue;
      this.#callers.delete(number);
      this.tell({ type: 'leave', caller: number });
    }
  }

  /**
   * The owner of its task no longer wants it. True if it stays for someone else; a running call stays in any
   * case.
   */
  dismiss(owner: Owner): boolean {
    this.tell({ type: 'dismiss', owner });
    return this.isOpen;
  }

  /**
   * Runs it once, as soon as there is a caller to run it for. Returns the result for the space; throws what the space
   * gets instead: that nothing was run, the server's own error, or that the outcome is unknown.
   */
  approve({
    by,
    arguments: args,
  }: {
    readonly by: string;
    readonly arguments: JsonObject;
  }): Promise<JsonValue> {
    return new Promise((resolve, reject) => {
      const number = ++this.#count;
      this.#approvers.set(number, { resolve, reject });
      this.tell({ type: 'approve', approval: { number, by, arguments: args } });
    });
  }

  /** Applies a command and carries out its effects. */
  tell(command: CallCommand): void {
    const { clock, denial = () => undefined, onChange } = this.#options;
    const before = this.#state;
    const { records, effects } = decide(before, command, { denial });
    if (records.length > 0) {
      const now = clock.now();
      this.#state = records.reduce((state, record) => evolve(state, record, now), before);
      this.#setTimers();
      onChange?.(before);
    }
    for (const effect of effects) this.#carryOut(effect);
  }

  #carryOut(effect: CallEffect): void {
    switch (effect.type) {
      case 'tell':
        return this.#tellOutcome(effect.caller, effect.outcome);
      case 'offer':
        return this.#callers.get(effect.caller)?.offered?.();
      case 'begin-soon':
        return queueMicrotask(() => this.tell({ type: 'begin' }));
      case 'run':
        return void this.#run(effect);
      case 'refuse':
        return this.#take(this.#approvers, effect.approval)?.reject(notRunError(effect.why));
      case 'stop':
        return this.#stopping.abort();
      case 'withdraw':
        return this.#options.withdraw?.(effect.reason);
      case 'dismiss':
        return void this.#take(this.#callers, effect.caller)?.settle?.({
          type: 'withdrawn',
          reason: CALLED_OFF,
        });
    }
  }

  #tellOutcome(number: number, outcome: Outcome): void {
    let told: boolean | Promise<boolean> = false;
    try {
      told = this.#take(this.#callers, number)?.settle?.(outcome) ?? false;
    } catch {
      // A caller that cannot be reached must not keep the outcome from the others or the approver.
    }
    if (typeof told === 'boolean') return this.tell({ type: 'hear', isTold: told });
    this.tell({ type: 'doubt' });
    void told.then((isTold) => this.tell({ type: 'hear', isTold }));
  }

  async #run({ caller, approval }: Extract<CallEffect, { type: 'run' }>): Promise<void> {
    const { number, by, arguments: args, edit } = approval;
    const runner = this.#callers.get(caller);
    const approver = this.#take(this.#approvers, number);
    let answer: RpcAnswer;
    try {
      if (runner === undefined) throw new Error('It is not known for whom it would run.');
      await this.#options.beforeRun?.();
      answer = await runner.run({ by, arguments: args, edit }, this.#stopping.signal);
    } catch (error) {
      this.tell({ type: 'finish', outcome: outcomeOfLostRun(error, { by, edit }) });
      return approver?.reject(lostRunError(this.facts.id, error));
    }
    this.tell({ type: 'finish', outcome: outcomeOfAnswer(answer, { by, edit }) });
    if ('error' in answer) approver?.reject(errorToThrow(answer.error));
    else approver?.resolve(keptResult(answer.result));
  }

  #take<Value>(from: Map<number, Value>, number: number): Value | undefined {
    const value = from.get(number);
    from.delete(number);
    return value;
  }

  #setTimers(): void {
    const { clock, window } = this.#options;
    const { phase, facts } = this.#state;
    const since = windowSince(this.#state);
    if (since !== this.#window?.since) {
      this.#window?.stop();
      this.#window =
        since === undefined
          ? undefined
          : { since, stop: clock.after(window, () => this.tell({ type: 'end-window', since })) };
    }
    if (!isBefore(phase) || facts.expiresAt === undefined) {
      this.#stopDeadline?.();
      this.#stopDeadline = undefined;
    } else {
      const left = Math.max(0, facts.expiresAt - clock.now()) + SLACK;
      this.#stopDeadline ??= clock.after(left, () => this.tell({ type: 'expire' }));
    }
  }
}

/** The error for an approver whose approval runs nothing. */
function notRunError(why: NotRun): OperationFailedError {
  if (why.type === 'change-denied') return changeDenied(why.reason);
  return nobodyWaits(why.reason ?? 'it has already started or finished');
}

/**
 * The error for an approver when the server did not answer: nobody can know whether the call ran, unless it
 * certainly did not start. It is never retried automatically (O-23).
 */
function lostRunError(id: string, error: unknown): OperationFailedError {
  const why = error instanceof Error ? error.message : String(error);
  if (error instanceof NotTakenError) return notTaken(why);
  return outcomeLost(
    `The outcome of ${id} is unknown: ${why} It may or may not have run. It is not run again automatically.`,
  );
}
