// Apart from `send-failure.ts`, which needs the SDK: a guard over stdio starts without it.

/**
 * A request that the server did not accept: it was refused, or the server could not be reached. Nothing was
 * done.
 */
export class NotTakenError extends Error {
  override readonly name = 'NotTakenError';
}

/** The HTTP status a request failed with, if that is why it will not be answered. */
export function httpStatusOf({ cause }: Error): number | undefined {
  const status = cause instanceof Error && 'status' in cause ? cause.status : undefined;
  return typeof status === 'number' ? status : undefined;
}
