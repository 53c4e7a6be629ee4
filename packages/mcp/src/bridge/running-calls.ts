import type { Clock } from '@proffer/client/own-calls';
import { OperationFailedError } from '@proffer/client/participation';
import { INTERNAL_ERROR, type RpcAnswer } from '../json-rpc.js';
import type { SentRequest } from './server-session.js';

/** How many calls may wait for the server's answer. */
const MAX_CALLS = 1_000;

/** How long a call without a timeout keeps its place, in milliseconds. */
const CALL_TIMEOUT = 3_600_000;

interface RunningCall {
  readonly startedAt: number;
  readonly giveUp: (cause: Error) => void;
}

/**
 * Calls that the server has not answered. A late answer is useful, since it makes an unknown outcome known
 * (O-23): a call that timed out stays until another one needs its slot, and is not cancelled.
 */
export class RunningCalls {
  readonly #clock: Clock;
  /** By request id, oldest first. */
  readonly #running = new Map<string, RunningCall>();
  readonly #overdue = new Set<string>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Makes a call. Rejects with an OperationFailedError, without calling, if 1,000 are already waiting and
   * none of them has timed out: after the space's timeout, or an hour for a request without a proposal.
   */
  async run(id: string, call: () => SentRequest): Promise<RpcAnswer> {
    if (this.#running.size >= MAX_CALLS) this.#makeRoom();
    const { answer, giveUp } = call();
    this.#running.set(id, { startedAt: this.#clock.now(), giveUp });
    try {
      return await answer;
    } finally {
      this.#forget(id);
    }
  }

  /** The space has declared the outcome of a request unknown. */
  declareOverdue(id: string): void {
    if (this.#running.has(id)) this.#overdue.add(id);
  }

  #makeRoom(): void {
    const [id = this.#oldestOverAnHour()] = this.#overdue;
    const call = id === undefined ? undefined : this.#running.get(id);
    if (id === undefined || call === undefined) {
      const message = `The server has ${MAX_CALLS} unanswered calls; nothing was run. Try again later.`;
      throw new OperationFailedError(INTERNAL_ERROR, message);
    }
    this.#forget(id);
    call.giveUp(new Error('The server took too long to answer; a late answer is discarded.'));
  }

  #oldestOverAnHour(): string | undefined {
    const [oldest] = this.#running;
    if (oldest === undefined) return undefined;
    const [id, { startedAt }] = oldest;
    return this.#clock.now() - startedAt >= CALL_TIMEOUT ? id : undefined;
  }

  #forget(id: string): void {
    this.#running.delete(id);
    this.#overdue.delete(id);
  }
}
