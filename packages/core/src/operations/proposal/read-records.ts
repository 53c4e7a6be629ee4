import { textOf } from '../../json/fields.js';
import type { CounterAccepted } from '../counter/counter.js';
import type { Answered, Approved, Fulfilled, Rejected, StatusReported } from '../records.js';
import type { Approval, Fulfilment, OperationOutcome, Rejection, Status } from './proposal.js';

/** An approval as stored in the proposal's state, from its record. The others here do the same. */
export function approvalOf({ envelope, facts, principal, time }: Approved | CounterAccepted): Approval {
  const {
    digest,
    executor,
    runBy,
    subject,
    roles,
    given,
    needed,
    missing,
    onBehalfOf,
    alone,
    signed,
    session,
  } = facts;
  const { batch } = envelope.payload;
  return {
    by: 'author' in facts ? facts.author : principal,
    digest,
    ...(given === undefined ? {} : { given }),
    ...(needed === undefined ? {} : { needed }),
    ...(missing === undefined ? {} : { missing }),
    ...(executor === undefined ? {} : { executor }),
    ...(runBy === undefined ? {} : { runBy }),
    ...(subject === undefined ? {} : { subject }),
    ...(roles === undefined ? {} : { roles }),
    ...(onBehalfOf === undefined ? {} : { onBehalfOf }),
    ...(alone === undefined ? {} : { alone }),
    ...(signed === undefined ? {} : { signed }),
    ...(session === undefined ? {} : { session }),
    ...(typeof batch === 'string' ? { batch } : {}),
    at: time,
  };
}

export function rejectionOf({ envelope, facts, time }: Rejected): Rejection {
  const { couldApprove, subject, roles, onBehalfOf, session } = facts;
  const { reason, message } = envelope.payload;
  return {
    reason: textOf(reason),
    ...(typeof message === 'string' ? { message } : {}),
    at: time,
    ...(couldApprove === true ? { couldApprove } : {}),
    ...(subject === undefined ? {} : { subject }),
    ...(roles === undefined ? {} : { roles }),
    ...(onBehalfOf === undefined ? {} : { onBehalfOf }),
    ...(session === undefined ? {} : { session }),
  };
}

export function fulfilmentOf({ envelope, facts, principal, time }: Fulfilled): Fulfilment {
  const fulfilment = {
    by: principal,
    request: envelope.id,
    to: envelope.to ?? [],
    executor: facts.executor,
    at: time,
    answerBy: facts.answerBy,
    digest: facts.ranDigest,
    amendment: facts.amendment,
  };
  const { counter, grant, onBehalfOf, session } = facts;
  // Copying costs more than everything else, and nearly all have none of these.
  if ((counter ?? grant ?? onBehalfOf ?? session) === undefined) return fulfilment;
  return {
    ...fulfilment,
    ...(counter === undefined ? {} : { counter }),
    ...(grant === undefined ? {} : { grant }),
    ...(onBehalfOf === undefined ? {} : { onBehalfOf }),
    ...(session === undefined ? {} : { session }),
  };
}

export function outcomeOf({ envelope, facts, principal, time }: Answered): OperationOutcome {
  const outcome = { result: facts.outcome, at: time, by: principal, response: envelope.id };
  return facts.notRun === true ? { ...outcome, notRun: true } : outcome;
}

export function statusOf({ envelope, time: at }: StatusReported): Status {
  const { status: said, message, progress, total } = envelope.payload;
  const status = textOf(said);
  const report = typeof message === 'string' ? { status, message, at } : { status, at };
  // Few report progress, and copying costs more than everything else.
  if (progress === undefined && total === undefined) return report;
  return {
    ...report,
    ...(typeof progress === 'number' ? { progress } : {}),
    ...(typeof total === 'number' ? { total } : {}),
  };
}
