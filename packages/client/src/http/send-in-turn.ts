import { refusalRow } from '@proffer/core/refusal';
import { type Addresses, askInTurn } from '../connection/addresses.js';
import { RefusedError } from '../errors.js';
import { isGone, NoAnswerError } from './errors.js';

/**
 * Sends a message to the current gateway and, if it does not answer, under the same id to each of the
 * others. The final error says whether the message may have arrived at any of them.
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
    if (error instanceof NoAnswerError) throw mayHaveArrived(error, error);
    if (!(error instanceof RefusedError) || isNotRecorded(error)) throw error;
    const message = `${lost.message}; then another gateway refused it (${error.code}): ${error.message}`;
    throw mayHaveArrived(lost, { message, cause: error });
  }
}

/**
 * Whether a refusal shows that no gateway has the message. Others, such as of a rate or a token, say nothing about what
 * an earlier gateway did with it.
 */
function isNotRecorded({ code }: RefusedError): boolean {
  return refusalRow(code)?.notRecorded === true;
}

function mayHaveArrived(
  { kind, status }: NoAnswerError,
  { message, cause }: Pick<NoAnswerError, 'message' | 'cause'>,
): NoAnswerError {
  const about = { message, cause, mayHaveArrived: true };
  return new NoAnswerError(kind, status === undefined ? about : { ...about, status });
}
