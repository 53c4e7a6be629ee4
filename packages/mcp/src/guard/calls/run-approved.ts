import type { OperationFailedError } from '@proffer/client';
import { diffJson, type JsonObject, type JsonValue } from '@proffer/core';
import { NotTakenError } from '../../channel/not-taken.js';
import type { RpcAnswer } from '../../json-rpc.js';
import { outcomeLost } from '../../outcome-lost.js';
import {
  changeDenied,
  errorToThrow,
  keptResult,
  nobodyWaits,
  notTaken,
  type Outcome,
  outcomeOfAnswer,
  outcomeOfLostRun,
  WENT_AWAY,
} from '../outcomes/index.js';
import type { Approval, GatedCall } from './gated-call.js';

export interface RunApprovedOptions {
  /** Why the rules do not allow the call with these arguments; nothing if they do. */
  readonly denial: (args: JsonObject) => string | undefined;
  /** It is over, in this way. */
  readonly finish: (outcome: Outcome) => void;
}

/**
 * Runs a call that somebody approved, once, as soon as somebody is there to run it for. Gives what the space is told of
 * the result; throws what it is told instead: that nothing was run, the server's own error, or that nobody knows.
 */
export async function runApproved(
  call: GatedCall,
  { by, arguments: args }: Omit<Approval, 'edit'>,
  { denial: denialOf, finish }: RunApprovedOptions,
): Promise<JsonValue> {
  if (call.outcome !== undefined || call.isRunning) throw tooLate(call);
  // Whoever came may have left, or called it off, before this goes on: so it is looked at anew each time.
  while (call.isUnattended) await call.attended();
  // Two approvals may have waited for the caller: only one of them runs it.
  if (call.outcome !== undefined || call.isRunning) throw tooLate(call);
  const { caller } = call;
  if (caller === undefined) {
    const reason = call.givenUp ?? WENT_AWAY;
    finish({ type: 'withdrawn', reason });
    throw nobodyWaits(reason);
  }
  const edit = diffJson(call.facts.arguments, args);
  const denial = edit.length === 0 ? undefined : denialOf(args);
  if (denial !== undefined) {
    finish({ type: 'denied', reason: denial });
    throw changeDenied(denial);
  }
  call.begin();
  let answer: RpcAnswer;
  try {
    answer = await caller.run({ by, arguments: args, edit });
  } catch (error) {
    finish(outcomeOfLostRun(error, { by, edit }));
    throw lostRun(call, error);
  }
  finish(outcomeOfAnswer(answer, { by, edit }));
  if ('error' in answer) throw errorToThrow(answer.error);
  return keptResult(answer.result);
}

/** It has begun, or is over, so that this approval has nothing to run. */
function tooLate({ outcome }: GatedCall): OperationFailedError {
  const withdrawn = outcome?.type === 'withdrawn' ? outcome.reason : undefined;
  return nobodyWaits(withdrawn ?? 'it has begun or is over already');
}

/** Nobody can know whether it ended, unless it has certainly not begun: it is never run again by itself (O-23). */
function lostRun({ facts }: GatedCall, error: unknown): OperationFailedError {
  const why = error instanceof Error ? error.message : String(error);
  if (error instanceof NotTakenError) return notTaken(why);
  return outcomeLost(
    `The outcome of ${facts.id} is unknown: ${why} It may have run or not, and is not run again by itself.`,
  );
}
