import { type Addresses, askInTurn } from '../connection/addresses.js';
import { isGone, NoAnswerError } from './errors.js';

/**
 * Sends a message to the current gateway and, under the same id, to each of the others where one does not answer. What
 * fails in the end says that the message may have arrived, if that is so of any of them.
 */
export async function sendInTurn<Value>(
  addresses: Addresses,
  send: (address: string) => Promise<Value>,
): Promise<Value> {
  let lost: NoAnswerError | undefined;
  const keep = (error: unknown): boolean => {
    if (error instanceof NoAnswerError && error.mayHaveArrived) lost ??= error;
    return isGone(error);
  };
  try {
    return await askInTurn(addresses, keep, send);
  } catch (error) {
    if (lost === undefined || error === lost) throw error;
    if (error instanceof NoAnswerError) {
      const { kind, message, status, cause } = error;
      throw new NoAnswerError(kind, {
        message,
        cause,
        mayHaveArrived: true,
        ...(status === undefined ? {} : { status }),
      });
    }
    throw isGone(error) ? lost : error;
  }
}
