import type { Change, JsonObject } from '@proffer/core';
import type { Clock } from '../../clock.js';
import type { RpcAnswer } from '../../json-rpc.js';
import type { GatedCallFacts } from '../asked/index.js';
import { CALLED_OFF, type Outcome, WENT_AWAY } from '../outcomes/index.js';
import type { Owner } from '../rounds/index.js';
import { TaskInput } from './task-input.js';

/** Somebody's yes. */
export interface Approval {
  readonly by: string;
  readonly arguments: JsonObject;
  /** What of the arguments they changed. */
  readonly edit: readonly Change[];
}

/** Somebody for whom a call would run. */
export interface Caller {
  /** Runs the call for this caller as it was approved. Fails if the server goes away or does not answer. */
  readonly run: (approval: Approval) => Promise<RpcAnswer>;
  /**
   * Hears the outcome; false if that cannot reach the caller any more, a promise where that is not known at once.
   * Absent for a caller that has an answer already and comes back for the outcome.
   */
  readonly settle?: (outcome: Outcome) => boolean | Promise<boolean>;
  /** Absent for one whose own request for the call waits. */
  readonly comesBack?: ComesBack;
}

/** Of a caller that asks again for a call that it has an answer to already: who that is, and whether the answer was a task. */
export interface ComesBack {
  readonly owner: Owner;
  readonly isTask: boolean;
}

export interface GatedCallOptions {
  readonly clock: Clock;
  /** How long a call without a caller waits for one to come back, in milliseconds. */
  readonly window: number;
  /** Nobody came back in time. */
  readonly onGone: () => void;
  /** Somebody has got the outcome: the same call made again is another one. */
  readonly onDelivered: () => void;
  /** The first caller has come, or the last has left. Default nobody hears of it. */
  readonly onAttendance?: () => void;
}

/**
 * One call that waits for a decision, and those who wait for it. A caller that leaves may come back
 * within the window; nothing is run while nobody is there, and that is nobody's rejection.
 */
export class GatedCall {
  readonly facts: GatedCallFacts;
  /** What it wants to know from a caller that has it as a task. */
  readonly input = new TaskInput();
  changedAt: number;
  outcome: Outcome | undefined;
  isRunning = false;
  /** Whether a caller has it as a task, and so may come back for it long after. */
  isTask = false;
  /** Whether somebody has got its outcome. */
  isDelivered = false;
  /** Whether it ended in an earlier run, or nobody was there to hear how: its caller may not know that it is over. */
  isEarlier = false;
  /** What somebody said about it last. */
  said: string | undefined;
  readonly #options: GatedCallOptions;
  readonly #callers = new Set<Caller>();
  /** How many are being told, and may have heard the outcome or not. */
  #telling = 0;
  #waiting: (() => void)[] = [];
  #stopWindow: (() => void) | undefined;
  #givenUp: string | undefined;

  /** Begins without a caller, so the window begins too. */
  constructor(facts: GatedCallFacts, options: GatedCallOptions) {
    this.facts = facts;
    this.changedAt = facts.createdAt;
    this.#options = options;
    this.#beginWindow();
  }

  /** Whether a caller can still join: it has not been given up. */
  get isOpen(): boolean {
    return this.#givenUp === undefined;
  }

  /** Why it was given up; nothing if it was not. */
  get givenUp(): string | undefined {
    return this.#givenUp;
  }

  /** Adds a caller, who hears the outcome, at once if there is one. */
  join(caller: Caller): void {
    this.#stopWindow?.();
    this.#stopWindow = undefined;
    this.#callers.add(caller);
    if (this.#callers.size === 1) this.#options.onAttendance?.();
    if (this.outcome !== undefined) this.#tell(caller, this.outcome);
    this.#wake();
  }

  /** A caller was cancelled, dropped, or goes on in another way. */
  leave(caller: Caller): void {
    if (!this.#callers.delete(caller) || this.#callers.size > 0) return;
    this.#beginWindow();
    this.#options.onAttendance?.();
  }

  /** Whom it would run for now; nothing if nobody is there, or it was given up. */
  get caller(): Caller | undefined {
    return this.isOpen ? [...this.#callers].at(-1) : undefined;
  }

  /** Whether it could begin if somebody were there, and nobody is. */
  get isUnattended(): boolean {
    return this.isOpen && this.#callers.size === 0 && !this.isRunning && this.outcome === undefined;
  }

  /** Settles the next time that somebody comes, or it is given up. By then they may have left again. */
  attended(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /**
   * Nobody wants it any more: it does not begin, also if somebody approves it.
   *
   * @param reason - why; the first counts
   */
  giveUp(reason: string): void {
    this.#givenUp ??= reason;
    this.#wake();
  }

  /**
   * Somebody who has it as a task does not want it any more: if anybody else waits for it, it stays for them, and those
   * who wait for the task hear that it was called off, which is not the outcome of the call. False if nobody else does.
   */
  dismiss(owner: Owner): boolean {
    const isTheirs = ({ comesBack }: Caller): boolean => comesBack !== undefined && comesBack.owner === owner;
    const others = [...this.#callers].filter((caller) => !isTheirs(caller));
    if (others.length === 0) return false;
    this.isTask = others.some(({ comesBack }) => comesBack?.isTask === true);
    for (const caller of [...this.#callers].filter(isTheirs)) {
      this.#callers.delete(caller);
      void caller.settle?.({ type: 'withdrawn', reason: CALLED_OFF });
    }
    return true;
  }

  /** It runs now. */
  begin(): void {
    this.isRunning = true;
    this.changedAt = this.#options.clock.now();
  }

  /** It is over: everybody who waits hears how. Only the first outcome counts. */
  finish(outcome: Outcome): void {
    if (this.outcome !== undefined) return;
    this.outcome = outcome;
    this.changedAt = this.#options.clock.now();
    for (const caller of this.#callers) this.#tell(caller, outcome);
    if (this.#callers.size === 0 && this.#telling === 0 && this.isOpen && !this.isDelivered)
      this.#beginWindow();
  }

  #tell(caller: Caller, outcome: Outcome): void {
    if (caller.settle === undefined) return;
    this.#callers.delete(caller);
    let told: boolean | Promise<boolean> = false;
    try {
      told = caller.settle(outcome);
    } catch {
      // One who cannot be told must not keep the others, nor the approver, from hearing of it.
    }
    if (typeof told === 'boolean') return this.#heard(told);
    // Whoever makes the same call meanwhile may be one who has not heard.
    this.isEarlier = true;
    void this.#learn(told);
  }

  async #learn(told: Promise<boolean>): Promise<void> {
    this.#telling++;
    const isTold = await told;
    this.#telling--;
    this.#heard(isTold);
  }

  #heard(isTold: boolean): void {
    if (!isTold && this.#callers.size === 0 && this.#telling === 0 && !this.isDelivered) this.#beginWindow();
    if (!isTold) return;
    // What was delivered waits for nobody: a window would only keep its result.
    this.#stopWindow?.();
    this.#options.onDelivered();
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }

  #beginWindow(): void {
    // Nobody is here: whoever makes the same call from now on did not wait for this outcome.
    if (this.outcome !== undefined) this.isEarlier = true;
    this.#stopWindow?.();
    this.#stopWindow = this.#options.clock.after(this.#options.window, () => {
      // What has begun is not called off: it ends by itself, and its outcome stays for a while.
      if (this.isRunning && this.outcome === undefined) return;
      // What nobody can say the outcome of is never asked for anew before somebody was told (O-23).
      if (this.outcome?.type === 'unknown' && !this.isDelivered) return;
      this.giveUp(WENT_AWAY);
      this.#options.onGone();
    });
  }
}
