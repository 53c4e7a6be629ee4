import type { Clock } from '@proffer/client/own-calls';
import { OperationFailedError } from '@proffer/client/participation';
import type { JsonObject } from '@proffer/core/json';
import { INTERNAL_ERROR, type RpcAnswer } from '../json-rpc.js';
import type { ServerSession } from './server-session.js';

/** How many read requests may wait for the server: fewer than calls, so that calls can continue. */
const MAX_READS = 200;

/** Timeout for a read request, in milliseconds. */
const READ_TIMEOUT = 30_000;

/** Sends a server requests that change nothing, and can therefore be cancelled and repeated. */
export class Reads {
  readonly #clock: Clock;
  #waiting = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Sends a request on behalf of a requester; rejects with an OperationFailedError if 200 requests are
   * already waiting, and like {@link Reads.askInTime}.
   */
  async ask(session: ServerSession, method: string, params: JsonObject): Promise<RpcAnswer> {
    if (this.#waiting >= MAX_READS) {
      const message = `The server has ${MAX_READS} unanswered requests; this one was not sent. Try again in ${READ_TIMEOUT / 1_000} s.`;
      throw new OperationFailedError(INTERNAL_ERROR, message);
    }
    this.#waiting++;
    try {
      return await this.askInTime(session, method, params);
    } finally {
      this.#waiting--;
    }
  }

  /** Sends a request; after 30 s without an answer it is cancelled, and this rejects. */
  async askInTime(session: ServerSession, method: string, params: JsonObject): Promise<RpcAnswer> {
    const { answer, callOff } = session.ask(method, params);
    const stop = this.#clock.after(READ_TIMEOUT, () =>
      callOff(new Error(`The server has not answered ${method} for ${READ_TIMEOUT / 1_000} s.`)),
    );
    try {
      return await answer;
    } finally {
      stop();
    }
  }
}
