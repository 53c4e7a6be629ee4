import type { Refusal } from '@proffer/core';

/** Thrown by reads, which have no value to return a refusal in. */
export class JournalError extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal, cause?: unknown) {
    super(refusal.message, cause === undefined ? undefined : { cause });
    this.name = 'JournalError';
    this.refusal = refusal;
  }
}
