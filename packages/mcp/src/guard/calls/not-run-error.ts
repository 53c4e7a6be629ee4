import type { OperationFailedError } from '@proffer/client/participation';
import { NotTakenError } from '../../channel/not-taken.js';
import { outcomeLost } from '../../outcome-lost.js';
import { changeDenied, nobodyWaits, notTaken } from '../outcomes/index.js';
import type { NotRun } from './call-events.js';

/** The error for an approver whose approval runs nothing. */
export function notRunError(why: NotRun): OperationFailedError {
  if (why.type === 'change-denied') return changeDenied(why.reason);
  return nobodyWaits(why.reason ?? 'it has already started or finished');
}

/**
 * The error for an approver when the server did not answer: nobody can know whether the call ran, unless it
 * certainly did not start. It is never retried automatically (O-23).
 */
export function lostRunError(id: string, error: unknown): OperationFailedError {
  const why = error instanceof Error ? error.message : String(error);
  if (error instanceof NotTakenError) return notTaken(why);
  return outcomeLost(
    `The outcome of ${id} is unknown: ${why} It may or may not have run. It is not run again automatically.`,
  );
}
