import { defined, type JsonObject, objectOf } from '@proffer/core/json';
import type { OperationFailedError } from '../errors.js';
import type { ProposalPromise, ProposeOptions } from '../operations/propose.js';
import type { Participant } from '../participant.js';
import { ANSWERED_LATER } from '../serving/serve.js';
import type { CallCommand, CallEffect, NotRun } from './call-events.js';
import {
  type CallApproval,
  type CallState,
  isBefore,
  isOpen,
  isUnattended,
  type OwnCallFacts,
  type Owner,
  outcomeOf,
  windowSince,
} from './call-state.js';
import type { CallAnswer, WaitingClient } from './caller.js';
import { type Clock, SYSTEM_CLOCK } from './clock.js';
import { CALLED_OFF, decide } from './decide.js';
import { evolve } from './evolve.js';
import { changeDenied, errorToThrow, nobodyWaits, outcomeLost, reasonNotRun } from './not-run.js';
import { type OwnCallOutcome, outcomeOfAnswer, outcomeOfFailure, outcomeOfLostRun } from './outcome.js';

export interface OwnCallOptions<Facts extends OwnCallFacts = OwnCallFacts> {
  /** Default: the system's. */
  readonly clock?: Clock;
  /** How long a call without a caller waits for one to return, in milliseconds. */
  readonly window: number;
  /**
   * Why the rules do not allow the call with these arguments; `undefined` if they do. Default: all are
   * allowed.
   */
  readonly denial?: (args: JsonObject) => string | undefined;
  /** Withdraws the proposal in the space. Default: {@link OwnCall.withdraw}. */
  readonly withdraw?: (reason: string) => void;
  /**
   * Stores what must survive if this process ends at the next instruction. The call runs after that.
   */
  readonly beforeRun?: () => Promise<void>;
  /** How much of a result is sent to the space. Default: all. */
  readonly kept?: (result: JsonObject) => JsonObject;
  /** Called with every change and the state before it. */
  readonly onChange?: (before: CallState<Facts>) => void;
}

/**
 * How long after its deadline the gateway may still report that a proposal has expired, in milliseconds
 * (O-19).
 */
const SLACK = 10_000;

interface Approver {
  readonly resolve: (kept: JsonObject | typeof ANSWERED_LATER) => void;
  readonly reject: (error: Error) => void;
}

/**
 * A call that its proposer runs: proposed, waited for, run once exactly as it was approved, and reported, with its
 * timers and callers. {@link decide} decides what happens to it; this only carries it out.
 */
export class OwnCall<Facts extends OwnCallFacts = OwnCallFacts> {
  readonly #options: OwnCallOptions<Facts>;
  readonly #clock: Clock;
  readonly #callers = new Map<number, WaitingClient>();
  readonly #approvers = new Map<number, Approver>();
  #state: CallState<Facts>;
  #proposal: ProposalPromise | undefined;
  readonly #stopping = new AbortController();
  #count = 0;
  #window: { readonly since: number; readonly stop: () => void } | undefined;
  #stopDeadline: (() => void) | undefined;

  constructor(state: CallState<Facts>, options: OwnCallOptions<Facts>) {
    this.#state = state;
    this.#options = options;
    this.#clock = options.clock ?? SYSTEM_CLOCK;
    this.#setTimers();
  }

  get state(): CallState<Facts> {
    return this.#state;
  }

  get facts(): Facts {
    return this.#state.facts;
  }

  /** The outcome of the call; `undefined` while it has none. */
  get outcome(): OwnCallOutcome | undefined {
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

  /** Proposes it in the space, to be run by this participant and nobody else, and follows it until it ends. */
  propose(
    participant: Pick<Participant, 'name' | 'propose'>,
    tool: string,
    options: Omit<ProposeOptions, 'id' | 'executor'>,
  ): ProposalPromise {
    const { id, arguments: args } = this.facts;
    const own = { id, executor: participant.name };
    const proposal = participant.propose(
      'tools/call',
      { name: tool, arguments: args },
      { ...options, ...own },
    );
    this.#proposal = proposal;
    const end = (outcome: OwnCallOutcome): void => this.tell({ type: 'end', outcome });
    proposal.accepted.then(
      () => this.tell({ type: 'store' }),
      () => {},
    );
    proposal.then(
      (result) => end({ type: 'ran', result: objectOf(result), by: '', edit: [] }),
      (error: unknown) => end(outcomeOfFailure(error)),
    );
    return proposal;
  }

  /** Resolves when its proposal is in the journal or closed. */
  async stored(): Promise<void> {
    await this.#proposal?.accepted.catch(() => {});
  }

  /** Withdraws its proposal without a rejection; resolves when that is done or has failed. */
  async withdraw(reason: string): Promise<void> {
    await this.#proposal?.withdraw(reason).catch(() => {});
  }

  /** Adds a caller, which gets the outcome, at once if there is one. */
  join(caller: WaitingClient): void {
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
  leave(caller: WaitingClient): void {
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
   * gets instead: that nothing was run, the executor's own error, or that the outcome is unknown.
   */
  approve({
    by,
    arguments: args,
  }: Pick<CallApproval, 'by' | 'arguments'>): Promise<JsonObject | typeof ANSWERED_LATER> {
    return new Promise((resolve, reject) => {
      const number = ++this.#count;
      this.#approvers.set(number, { resolve, reject });
      this.tell({ type: 'approve', approval: { number, by, arguments: args } });
    });
  }

  /** Applies a command and carries out its effects. */
  tell(command: CallCommand): void {
    const { denial = () => undefined, onChange } = this.#options;
    const before = this.#state;
    const { records, effects } = decide(before, command, { denial });
    if (records.length > 0) {
      const now = this.#clock.now();
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
        return this.#take(this.#approvers, effect.approval)?.reject(refusalFor(effect.why));
      case 'stop':
        return this.#stopping.abort();
      case 'withdraw':
        return this.#options.withdraw === undefined
          ? void this.withdraw(effect.reason)
          : this.#options.withdraw(effect.reason);
      case 'dismiss':
        return void this.#take(this.#callers, effect.caller)?.settle?.({
          type: 'withdrawn',
          reason: CALLED_OFF,
        });
    }
  }

  #tellOutcome(number: number, outcome: OwnCallOutcome): void {
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
    const { beforeRun, kept = (result) => result } = this.#options;
    let answer: CallAnswer | typeof ANSWERED_LATER;
    try {
      if (runner === undefined) throw new Error('It is not known on whose behalf the call would run.');
      await beforeRun?.();
      answer = await runner.run({ by, arguments: args, edit }, this.#stopping.signal);
    } catch (error) {
      this.tell({ type: 'finish', outcome: outcomeOfLostRun(error, { by, edit }) });
      return approver?.reject(lostRunError(this.facts.id, error));
    }
    if (answer === ANSWERED_LATER) return approver?.resolve(answer);
    this.tell({ type: 'finish', outcome: outcomeOfAnswer(answer, { by, edit }) });
    if ('error' in answer) approver?.reject(errorToThrow(answer.error));
    else approver?.resolve(kept(answer.result));
  }

  #take<Value>(from: Map<number, Value>, number: number): Value | undefined {
    const value = from.get(number);
    from.delete(number);
    return value;
  }

  #setTimers(): void {
    const { window } = this.#options;
    const { phase, facts } = this.#state;
    const clock = this.#clock;
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
function refusalFor(why: NotRun): OperationFailedError {
  if (why.type === 'change-denied') return changeDenied(why.reason);
  return nobodyWaits(why.reason ?? 'it has already started or finished');
}

/**
 * The error for an approver when a run failed: nobody can know whether the call ran, unless it certainly did not
 * start. It is never retried automatically (O-23).
 */
function lostRunError(id: string, error: unknown): Error {
  const why = error instanceof Error ? error.message : String(error);
  if (error instanceof Error && reasonNotRun(error) !== undefined) return error;
  return outcomeLost(
    `The outcome of ${id} is unknown: ${why} It may or may not have run. It is not run again automatically.`,
  );
}
