import { defined, type JsonValue } from '@proffer/core/json';
import { refusalIn } from '../connection/socket.js';
import { RefusedError } from '../errors.js';
import { NotAnsweredError, parseBody, readText, request } from './request.js';

/** How long a client waits, and what aborts it. */
export interface Patience {
  /** Aborts every request except event streams, which have their own signal. */
  readonly signal?: AbortSignal;
  /**
   * Milliseconds within which an answer must start, and continue until it is complete; an event stream
   * only has to start. Default 10,000.
   */
  readonly answerWithin?: number;
  /** The deadline for all requests together, in milliseconds since 1970. Default none. */
  readonly until?: number;
}

/** One request. */
interface Question {
  readonly url: string;
  readonly authorization: string;
  readonly ca?: string | Uint8Array | undefined;
  /** Aborts only this request, which then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** The body to post; absent for a read. */
  readonly message?: JsonValue;
}

/**
 * Sends a request and reads the whole answer.
 *
 * @throws RefusedError if the gateway refuses it
 * @throws NoAnswerError if there is no answer, or none from a gateway
 */
export async function ask<Value>(
  { url, authorization, ca, signal: own, message }: Question,
  { signal: interruption, answerWithin = 10_000, until = Number.POSITIVE_INFINITY }: Patience,
): Promise<Value> {
  const isPosted = message !== undefined;
  const ends = new AbortController();
  const end = (): void => ends.abort();
  let timer: NodeJS.Timeout | undefined;
  let hasBegun = false;
  let isDeadlineNearer = false;
  const wait = (): void => {
    clearTimeout(timer);
    const left = Math.max(0, until - Date.now());
    isDeadlineNearer = left < answerWithin;
    timer = setTimeout(end, Math.min(answerWithin, left));
  };
  const signals = [own, interruption].flatMap((signal) => signal ?? []);
  for (const signal of signals) signal.addEventListener('abort', end);
  if (signals.some(({ aborted }) => aborted)) end();
  try {
    wait();
    const content = isPosted
      ? {
          method: 'POST',
          headers: { authorization, 'content-type': 'application/json' },
          body: JSON.stringify(message),
        }
      : { headers: { authorization } };
    const response = await request(url, { ...content, ca, signal: ends.signal });
    const text = await readText(response, () => {
      hasBegun = true;
      wait();
    });
    return readAnswer(response.statusCode ?? 0, parseBody(text), { url, isPosted }) as Value;
  } catch (error) {
    if (own?.aborted === true || error instanceof RefusedError || error instanceof NoAnswerError) throw error;
    const mayHaveArrived = isPosted && !(error instanceof NotAnsweredError && !error.wasConnected);
    const lost = { message: reasonOf(error), mayHaveArrived, cause: error };
    if (interruption?.aborted === true) throw new NoAnswerError('interrupted', lost);
    if (!ends.signal.aborted) throw new NoAnswerError('unreachable', lost);
    if (isDeadlineNearer) throw new NoAnswerError('timed_out', lost);
    const span = `within ${answerWithin / 1000} s`;
    throw hasBegun
      ? new NoAnswerError('stalled', { ...lost, message: `no more data ${span}` })
      : new NoAnswerError('silent', { ...lost, message: `no response ${span}` });
  } finally {
    clearTimeout(timer);
    for (const signal of signals) signal.removeEventListener('abort', end);
  }
}

/** The body of an answer; throws if it is a refusal, or not from a gateway. */
export function readAnswer(
  status: number,
  body: JsonValue | undefined,
  { url, isPosted }: { readonly url: string; readonly isPosted: boolean },
): JsonValue {
  const isFine = status >= 200 && status < 300;
  const refusal = isFine ? undefined : refusalIn(body);
  if (refusal !== undefined) throw new RefusedError(refusal.code, refusal.message, refusal.details);
  if (isFine && body !== undefined) return body;
  throw new NoAnswerError('not_a_gateway', {
    message: `The server at ${new URL(url).origin} is not a Proffer gateway (HTTP status ${status}).`,
    // A proxy may have passed on what was sent.
    mayHaveArrived: isPosted && (status < 300 || status >= 500),
    status,
  });
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** What was wrong with the answer to a request. */
export type NoAnswerKind =
  /** There was no connection, or it broke. */
  | 'unreachable'
  /** No answer started in time. */
  | 'silent'
  /** An answer started and stalled. */
  | 'stalled'
  /** The time for all requests together is up. */
  | 'timed_out'
  /** The client's signal aborted it. */
  | 'interrupted'
  /** Something other than a gateway answered; `status` is the HTTP status. */
  | 'not_a_gateway';

/** Whether an answer that is not from a gateway comes from a proxy whose gateways are gone. */
export function isFromProxy(status: number): boolean {
  return status >= 502 && status <= 504;
}

/** Whether another gateway may answer instead. */
export function isGone(error: unknown): error is NoAnswerError | RefusedError {
  if (error instanceof RefusedError) return error.code === 'unavailable';
  if (!(error instanceof NoAnswerError)) return false;
  const { kind, status = 0 } = error;
  if (kind === 'not_a_gateway') return isFromProxy(status);
  return kind === 'unreachable' || kind === 'silent' || kind === 'stalled';
}

/** A request got no answer, or none from a gateway. A refusal by the gateway is a `RefusedError`. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';
  readonly kind: NoAnswerKind;
  /** Whether a sent message may have arrived all the same. Never for a read. */
  readonly mayHaveArrived: boolean;
  readonly status?: number;

  constructor(
    kind: NoAnswerKind,
    {
      message,
      mayHaveArrived,
      status,
      cause,
    }: {
      readonly message: string;
      readonly mayHaveArrived: boolean;
      readonly status?: number;
      readonly cause?: unknown;
    },
  ) {
    super(message, defined({ cause }));
    this.kind = kind;
    this.mayHaveArrived = mayHaveArrived;
    if (status !== undefined) this.status = status;
  }
}
