import type { JsonObject } from '@proffer/core/json';
import { EXIT, type ExitCode } from './exit-code.js';

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
