import type { JsonObject } from '../../json/json.js';
import type { Proposal } from '../proposal/proposal.js';

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
