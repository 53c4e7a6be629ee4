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

/** Asks a server for what changes nothing, which can therefore be called off and asked for again. */
export class Reads {
  readonly #clock: Clock;
  #waiting = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Asks for somebody else; fails with an OperationFailedError where 200 wait already, and like
   * {@link Reads.askInTime}.
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

  /** Asks the server; after 30 s without an answer it is told that nobody waits any more, and this fails. */
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
