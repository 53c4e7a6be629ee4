import { OperationFailedError } from '@proffer/client/participation';
import type { JsonObject } from '@proffer/core/json';
import type { Clock } from '../clock.js';
import { INTERNAL_ERROR, type RpcAnswer } from '../json-rpc.js';
import type { ServerSession } from './server-session.js';

/**
 * How many requests of others that only read may wait for the server's answer: fewer than calls, so that these go on.
 */
const MOST_READS = 200;

/** How long the server may take to answer what only reads, in milliseconds. */
const LONGEST_READ = 30_000;

/** Sends a server requests that change nothing, and so can be cancelled and repeated. */
export class Reads {
  readonly #clock: Clock;
  #waiting = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Asks for a requester; fails with an OperationFailedError if 200 requests are waiting already, and like {@link
   * Reads.askInTime}.
   */
  async ask(session: ServerSession, method: string, params: JsonObject): Promise<RpcAnswer> {
    if (this.#waiting >= MOST_READS) {
      const message = `The server has ${MOST_READS} unanswered requests; this one was not sent. Try again in ${LONGEST_READ / 1_000} s.`;
      throw new OperationFailedError(INTERNAL_ERROR, message);
    }
    this.#waiting++;
    try {
      return await this.askInTime(session, method, params);
    } finally {
      this.#waiting--;
    }
  }

  /** Asks the server; after 30 s without an answer the request is cancelled, and this fails. */
  async askInTime(session: ServerSession, method: string, params: JsonObject): Promise<RpcAnswer> {
    const { answer, callOff } = session.ask(method, params);
    const stop = this.#clock.after(LONGEST_READ, () =>
      callOff(new Error(`The server has not answered ${method} for ${LONGEST_READ / 1_000} s.`)),
    );
    try {
      return await answer;
    } finally {
      stop();
    }
  }
}
