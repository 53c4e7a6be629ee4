import { retryDelay } from '../connection/backoff.js';
import { RefusedError } from '../errors.js';

/**
 * How long an executor has to reconnect after it lost its connection, or after the gateway started,
 * in milliseconds.
 */
const PATIENCE = 3_000;

/** The pause between two attempts. */
const RETRY = { delay: 100, maxDelay: 400 };

/**
 * Sends a fulfilment, and retries for a while if its executor is not connected (`executor_absent`): a
 * gateway chooses only among connected ones (O-26), and a participant that lost its connection is
 * back in a moment, or gone. A refused message leaves no trace, so it may have the same id each time
 * (I-5).
 *
 * @param send - with the name of the absent executor, to which it then goes: a participant that
 * serves the same and joined only afterwards is not the one that was meant
 * @param isWanted - whether anybody still waits for it; otherwise it is not sent again
 */
export async function sendOnceThere<Receipt>(
  send: (executor?: string) => Promise<Receipt>,
  isWanted: () => boolean,
): Promise<Receipt> {
  const until = Date.now() + PATIENCE;
  let executor: string | undefined;
  for (let tries = 0; ; tries++) {
    try {
      return await send(executor);
    } catch (error) {
      const wait = retryDelay(tries, RETRY);
      const isAbsent = error instanceof RefusedError && error.code === 'executor_absent';
      if (!isAbsent || Date.now() + wait > until) throw error;
      await new Promise((resolve) => setTimeout(resolve, wait));
      if (!isWanted()) throw error;
      const { executor: absent } = error.details;
      if (typeof absent === 'string') executor = absent;
    }
  }
}
