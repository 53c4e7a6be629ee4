import { textOf } from '../../json/text.js';
import type { CounterAccepted } from '../counter/records.js';
import type { Answered, Approved, Fulfilled, Rejected } from '../records.js';
import type { Approval, Fulfilment, OperationOutcome, Rejection } from './proposal.js';

/** What a record says of an approval, as the state of the proposal keeps it. The others here do the same for theirs. */
export function approvalOf({ envelope, facts, principal, time }: Approved | CounterAccepted): Approval {
  const { digest, executor, runBy, subject, roles, given, needed, missing, onBehalfOf, alone } = facts;
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
    ...(typeof batch === 'string' ? { batch } : {}),
    at: time,
  };
}

export function rejectionOf({ envelope, facts, time }: Rejected): Rejection {
  const { couldApprove, subject, roles, onBehalfOf } = facts;
  const { reason, message } = envelope.payload;
  return {
    reason: textOf(reason),
    ...(typeof message === 'string' ? { message } : {}),
    at: time,
    ...(couldApprove === true ? { couldApprove } : {}),
    ...(subject === undefined ? {} : { subject }),
    ...(roles === undefined ? {} : { roles }),
    ...(onBehalfOf === undefined ? {} : { onBehalfOf }),
  };
}

export function fulfilmentOf({ envelope, facts, principal, time }: Fulfilled): Fulfilment {
  return {
    by: principal,
    request: envelope.id,
    to: envelope.to ?? [],
    executor: facts.executor,
    at: time,
    answerBy: facts.answerBy,
    digest: facts.ranDigest,
    amendment: facts.amendment,
    ...(facts.counter === undefined ? {} : { counter: facts.counter }),
    ...(facts.grant === undefined ? {} : { grant: facts.grant }),
  };
}

export function outcomeOf({ envelope, facts, principal, time }: Answered): OperationOutcome {
  return { result: facts.outcome, at: time, by: principal, response: envelope.id };
}
