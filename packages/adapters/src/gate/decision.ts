import {
  ConnectionClosedError,
  OperationFailedError,
  OutcomeUnknownError,
  ProposalExpiredError,
  ProposalRejectedError,
  ProposalWithdrawnError,
  RefusedError,
} from '@proffer/client';
import { defined } from '@proffer/core/json';

import { describeRejection, PLAIN } from '@proffer/core/words';

/** Why a call was not run, or must not be run now. */
export type NotRun = {
  /**
   * - `rejected`: someone rejected it, or the space's policy declined it.
   * - `expired`: no one decided in time.
   * - `cancelled`: the agent gave it up, or it was withdrawn.
   * - `refused`: the gateway refused the question.
   * - `unreachable`: the gateway could not be asked.
   * - `unknown`: it may have run, in a process that is gone. It is not run again.
   */
  readonly type: 'rejected' | 'expired' | 'cancelled' | 'refused' | 'unreachable' | 'unknown';
  /** A sentence for the model: what happened, and what to do. */
  readonly reason: string;
  /** The id of the proposal, if there is one. */
  readonly proposal?: string;
};

/** The call may run, once, with these arguments. */
export type Approved = {
  readonly type: 'approved';
  readonly proposal: string;
  /** Who approved it, or granted it before. */
  readonly by: string;
  /** The grant that allows it, if no one was asked. */
  readonly grant?: string;
  /** The arguments to run it with. If not edited, exactly those passed in. */
  readonly arguments: unknown;
  /** Whether the approver changed the arguments. */
  readonly edited: boolean;
};

/** It already ran in another process of the agent, with this result. */
export type Ran =
  | { readonly type: 'ran'; readonly proposal: string; readonly output: unknown }
  | { readonly type: 'failed'; readonly proposal: string; readonly reason: string };

/** The gate does not ask about it. */
export type Allowed = { readonly type: 'allowed'; readonly arguments: unknown };

export type Decision = Allowed | Approved | Ran | NotRun;

/** Why a call must not run, as text for the model; `undefined` if it may run, or already ran. */
export function refusalIn(decision: Decision): string | undefined {
  return 'reason' in decision && decision.type !== 'failed' ? decision.reason : undefined;
}

/** Thrown instead of running a call. Its message is for the model. */
export class NotRunError extends Error {
  override readonly name = 'NotRunError';
  readonly type: NotRun['type'];
  readonly proposal?: string;

  constructor({ type, reason, proposal }: NotRun) {
    super(reason);
    this.type = type;
    if (proposal !== undefined) this.proposal = proposal;
  }
}

/** The message for a call that another process started, or whose process is gone. */
export const MAY_HAVE_RUN =
  'It is not known whether this call ran: it was approved and begun, and no result was recorded. It was not run again. Check its effects before you repeat it.';

export const CANCELLED = 'Not run: the agent gave up before it was decided.';

/** The outcome of a proposal that was not approved, as text for the model. */
export function notRun(error: unknown, proposal?: string): NotRun {
  const about = defined({ proposal });
  if (error instanceof ProposalRejectedError) {
    const said = error.rejections.map((rejection) => describeRejection(rejection, PLAIN));
    const why = error.why ?? said.join(' ');
    return { type: 'rejected', reason: `Not run. ${why} Do not try it again unchanged.`, ...about };
  }
  if (error instanceof ProposalExpiredError)
    return { type: 'expired', reason: 'Not run: it was not decided in time.', ...about };
  if (error instanceof ProposalWithdrawnError) {
    const why = error.reason === undefined ? CANCELLED : `Not run: withdrawn (${error.reason}).`;
    return { type: 'cancelled', reason: why, ...about };
  }
  if (error instanceof OutcomeUnknownError) return { type: 'unknown', reason: MAY_HAVE_RUN, ...about };
  const detail = error instanceof Error ? error.message : String(error);
  if (error instanceof RefusedError)
    return {
      type: 'refused',
      reason: `Not run: the approval gateway refused the question. ${detail}`,
      ...about,
    };
  const isOurs = error instanceof ConnectionClosedError && error.reason === 'closed';
  if (isOurs) return { type: 'cancelled', reason: CANCELLED, ...about };
  return {
    type: 'unreachable',
    reason: `Not run: the approval gateway could not be asked. ${detail}`,
    ...about,
  };
}

/** What an earlier process recorded as the call's error. */
export function failedBefore(error: OperationFailedError, proposal: string): Ran {
  return { type: 'failed', proposal, reason: error.message };
}
