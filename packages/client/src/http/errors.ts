import { RefusedError } from '../errors.js';

/** What was wrong with the answer to a request. */
export type NoAnswerKind =
  /** There was no connection, or it broke. */
  | 'unreachable'
  /** No answer began in time. */
  | 'silent'
  /** An answer began and did not go on. */
  | 'stalled'
  /** The time for all requests together is up. */
  | 'timed_out'
  /** The client's signal ended it. */
  | 'interrupted'
  /** Something else than a gateway answered; `status` is that of HTTP. */
  | 'not_a_gateway';

/** Whether another gateway may answer what this one did not. */
export function isGone(error: unknown): error is NoAnswerError | RefusedError {
  if (error instanceof RefusedError) return error.code === 'unavailable';
  if (!(error instanceof NoAnswerError)) return false;
  const { kind, status = 0 } = error;
  // A proxy answers with these if its upstream is gone.
  if (kind === 'not_a_gateway') return status >= 502 && status <= 504;
  return kind === 'unreachable' || kind === 'silent' || kind === 'stalled';
}

/** A request got no answer, or none that a gateway gives. What the gateway refused is a `RefusedError`. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';
  readonly kind: NoAnswerKind;
  /** Whether a message that was sent may have arrived all the same. Never for a request that only reads. */
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
    super(message, cause === undefined ? {} : { cause });
    this.kind = kind;
    this.mayHaveArrived = mayHaveArrived;
    if (status !== undefined) this.status = status;
  }
}
