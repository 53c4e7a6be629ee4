import type { JsonObject } from '@proffer/core/json';

/** What a command ends with when it cannot do what was asked. */
export interface Failure {
  readonly exit: ExitCode;
  /** A stable word for programs: a refusal's code, or one of `usage`, `unreachable`, `timed_out`. */
  readonly code: string;
  /** What happened, in whole sentences. May contain text from others; make it visible before showing it. */
  readonly message: string;
  readonly details?: JsonObject;
  /** Commands or steps to try next, one line each. */
  readonly next?: readonly string[];
}

/** Ends a command. Caught once, in `run`, which shows it and sets the exit code. */
export class CommandFailure extends Error {
  readonly failure: Failure;

  constructor(failure: Failure, cause?: unknown) {
    super(failure.message, cause === undefined ? undefined : { cause });
    this.name = 'CommandFailure';
    this.failure = failure;
  }
}

/** The command line cannot be understood. */
export function usageFailure(message: string, next: readonly string[] = []): CommandFailure {
  return new CommandFailure({ exit: EXIT.usage, code: 'usage', message, next });
}

/** The meaning of the exit codes. A promise to scripts: codes are added, never changed. */
export const EXIT = {
  done: 0,
  refused: 1,
  usage: 2,
  unreachable: 3,
  timedOut: 4,
  unknown: 5,
  cutOff: 6,
  fault: 70,
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The exit codes in words, at the end of `--help`. */
export const EXIT_CODES = `Exit codes:
  0    success
  1    refused, rejected, withdrawn or failed; or a problem was found
  2    wrong usage or configuration
  3    the gateway cannot be reached
  4    timed out: the proposal expired, or --timeout passed
  5    unknown outcome: it may or may not have run
  6    verify: the last write was cut off; everything before it is intact
  70   internal error in proffer
  130  interrupted (Ctrl-C)`;
