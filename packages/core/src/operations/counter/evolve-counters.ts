import { textOf } from '../../json/fields.js';
import type { JsonObject } from '../../json/json.js';
import { type Approval, type Proposal, partyOf, personOf } from '../proposal/proposal.js';
import type { Counter } from './counter.js';
import type { CounterAccepted, Countered } from './records.js';

type Before = Pick<Proposal, 'approvals' | 'counters' | 'proposer'>;
type After = Pick<Proposal, 'approvals' | 'counters'>;

/**
 * A counter-offer replaces its author's earlier one. An approver who now offers something else
 * withdraws the approval: others must not complete it without them.
 */
export function withCounter(before: Before, record: Countered): After {
  const counter = counterOf(record);
  const author = personOf(counter);
  const approvals =
    counter.by === before.proposer
      ? before.approvals
      : before.approvals.filter((each) => personOf(each) !== author && partyOf(each) !== author);
  return { counters: [...withdrawnBy(before.counters, author), counter], approvals };
}

/** An accepted counter-offer counts as its author's approval. */
export function withAcceptance(before: Before, { facts }: CounterAccepted, approval: Approval): After {
  const counters = before.counters.map((counter) =>
    counter.id === facts.counter ? ({ ...counter, state: 'accepted' } as const) : counter,
  );
  return { counters, approvals: [...before.approvals, approval] };
}

/** The remaining counter-offers when this person withdraws theirs. The same list if they had none. */
export function withdrawnBy(counters: readonly Counter[], person: string): readonly Counter[] {
  const isTheirs = (counter: Counter): boolean =>
    counter.state !== 'withdrawn' && personOf(counter) === person;
  if (!counters.some(isTheirs)) return counters;
  return counters.map((counter) => (isTheirs(counter) ? { ...counter, state: 'withdrawn' } : counter));
}

function counterOf({ envelope, facts, principal, time }: Countered): Counter {
  const { params, reason, executor } = envelope.payload;
  const { answers, digest, amendment, subject, roles } = facts;
  return {
    id: envelope.id,
    by: principal,
    ...(subject === undefined ? {} : { subject }),
    ...(roles === undefined ? {} : { roles }),
    answers,
    params: params as JsonObject,
    digest,
    amendment,
    reason: textOf(reason),
    ...(typeof executor === 'string' ? { executor } : {}),
    at: time,
    state: 'live',
  };
}
