import type { IncomingMessage } from 'node:http';
import { RefusedError } from '../errors.js';
import { type Patience, readAnswer, reasonOf } from './asking.js';
import { NoAnswerError } from './errors.js';
import { type HttpRequest, parseBody, readText, request } from './request.js';

/**
 * Opens an event stream: settles when it starts. From then on only the signal ends it.
 *
 * @throws RefusedError if the gateway refuses it
 * @throws NoAnswerError if it does not start in time, or the answer is not from a gateway
 */
export async function openEvents(
  url: string,
  { signal, ...options }: HttpRequest & { readonly signal: AbortSignal },
  { answerWithin = 10_000 }: Pick<Patience, 'answerWithin'>,
): Promise<IncomingMessage> {
  // A separate signal: aborting an unanswered request must not abort the reader's.
  const ends = new AbortController();
  const end = (): void => ends.abort(signal.reason);
  const timer = setTimeout(end, answerWithin);
  signal.addEventListener('abort', end);
  if (signal.aborted) end();
  const forget = (): void => signal.removeEventListener('abort', end);
  try {
    const response = await request(url, { ...options, signal: ends.signal });
    response.once('close', forget);
    if (response.statusCode === 200) return response;
    const text = await readText(response).catch(() => '');
    readAnswer(response.statusCode ?? 0, parseBody(text), { url, isPosted: false });
    return response;
  } catch (cause) {
    forget();
    if (signal.aborted || cause instanceof RefusedError || cause instanceof NoAnswerError) throw cause;
    const about = { mayHaveArrived: false, cause };
    throw ends.signal.aborted
      ? new NoAnswerError('silent', { ...about, message: `no response within ${answerWithin / 1000} s` })
      : new NoAnswerError('unreachable', { ...about, message: reasonOf(cause) });
  } finally {
    clearTimeout(timer);
  }
}
