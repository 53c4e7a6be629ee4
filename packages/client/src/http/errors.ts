import { defined } from '@proffer/core/json';
import { RefusedError } from '../errors.js';

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
