import type { Envelope } from '../../envelope/envelope.js';
import type { Change } from '../../json/diff.js';
import { textOf } from '../../json/fields.js';
import type { JsonObject } from '../../json/json.js';
import type { ArgumentFacts } from '../proposal/arguments.js';
import { type Approval, type Proposal, partyOf, personOf } from '../proposal/proposal.js';
import type { About, Approved, Recorded } from '../records.js';

/** Other params, offered in place of the proposed ones (O-40). */
export type Counter = {
  /** The id of the message that made it. */
  readonly id: string;
  readonly by: string;
  /** The person, if the operator says who it is (O-30), and its roles at that time. */
  readonly subject?: string;
  readonly roles?: readonly string[];
  /** What it answers: the proposal, or another counter-offer. */
  readonly answers: string;
  readonly params: JsonObject;
  readonly digest: string;
  /** What it changes in the proposed params. */
  readonly amendment: readonly Change[];
  readonly reason: string;
  /** The executor, if its author names one. */
  readonly executor?: string;
  readonly at: number;
  /** `withdrawn`: its author made a newer one, or rejected the proposal. */
  readonly state: 'live' | 'accepted' | 'withdrawn';
};

/** The part of a proposal that the rules about counter-offers need. */
interface Offered {
  readonly digest: string;
  readonly params?: JsonObject | undefined;
  readonly counters: readonly Counter[];
}

/**
 * The params that an approval names by digest alone: those of a live counter-offer, else the proposed
 * ones.
 */
export function offeredParams(
  { digest: proposed, params, counters }: Offered,
  digest: unknown,
): JsonObject | undefined {
  if (counters.length === 0 || digest === proposed) return params;
  const offered = counters.find((counter) => counter.state !== 'withdrawn' && counter.digest === digest);
  return offered === undefined ? params : offered.params;
}

/** Someone offers other params in place of the proposed ones (O-40). */
export type Countered = Recorded<
  'countered',
  About &
    ArgumentFacts & {
      /** The digest of the offered params: what is approved or accepted. */
      readonly digest: string;
      /** What it answers: the proposal, or the counter-offer before it. */
      readonly answers: string;
      /** What it changes in the proposed params. */
      readonly amendment: readonly Change[];
      /** The person who offers it, if the operator says so (O-30). */
      readonly subject?: string;
      readonly roles?: readonly string[];
    }
>;

/**
 * The proposer accepted a counter-offer (O-40): it counts as its author's approval. If that is enough, the fulfilment
 * follows at once.
 */
export type CounterAccepted = Recorded<
  'counter_accepted',
  Approved['facts'] & {
    readonly counter: string;
    /** The author of the counter-offer: it runs on their authority. */
    readonly author: string;
  }
>;

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

/** A counter-offer, with what the gateway adds: its proposal, its digest, what it changes. */
export function deliveredCounter({ envelope, facts }: Countered): Envelope {
  const { proposal, digest, amendment } = facts;
  const { params, reason, executor } = envelope.payload;
  const payload = {
    params,
    reason,
    ...(executor === undefined ? {} : { executor }),
    proposal,
    digest,
    amendment,
  };
  return { ...envelope, payload };
}

/** An acceptance, with the proposal and the digest of what it accepts, and the progress so far (O-29). */
export function deliveredAcceptance({ envelope, facts }: CounterAccepted): Envelope {
  const { proposal, digest, author, given, needed, missing } = facts;
  const progress = needed === undefined ? {} : { given, needed, missing };
  return { ...envelope, payload: { proposal, digest, author, ...progress } };
}

/** One offer in the conversation about a proposal, with the fields of a negotiation's offer. */
export type Offer = {
  readonly proposalId: string;
  readonly proposer: string;
  readonly disposition: 'live' | 'withdrawn';
  readonly supersedes?: string;
  readonly supersededBy?: string;
  readonly params?: JsonObject | undefined;
  readonly digest: string;
  readonly reason?: string;
  /** True for the counter-offer that the proposer accepted. */
  readonly accepted: boolean;
  readonly at: number;
};

/**
 * All offers, in order: the proposal first, then each counter-offer with what it answers (O-40). The
 * links make it a tree; the latest answer to an offer is its `supersededBy`.
 */
export function offersOf(proposal: Proposal): readonly Offer[] {
  const { id, proposer, params, digest, proposedAt, counters, phase } = proposal;
  const isOver = phase === 'withdrawn' || phase === 'declined' || phase === 'expired';
  const answeredBy = new Map(counters.map((counter) => [counter.answers, counter.id]));
  const offer = ({ stands, ...rest }: Link & { readonly stands: boolean }): Offer => {
    const supersededBy = answeredBy.get(rest.proposalId);
    const disposition = stands && !isOver ? 'live' : 'withdrawn';
    return { ...rest, disposition, ...(supersededBy === undefined ? {} : { supersededBy }) };
  };
  const first = { proposalId: id, proposer, params, digest, accepted: false, at: proposedAt };
  return [
    offer({ ...first, stands: true }),
    ...counters.map((counter) =>
      offer({
        proposalId: counter.id,
        proposer: counter.by,
        params: counter.params,
        digest: counter.digest,
        reason: counter.reason,
        accepted: counter.state === 'accepted',
        supersedes: counter.answers,
        at: counter.at,
        stands: counter.state !== 'withdrawn',
      }),
    ),
  ];
}

type Link = Omit<Offer, 'disposition' | 'supersededBy'>;
