import { type Refusal } from '@proffer/core';
import { decisionOn, type Proposal, type ProposalPhase } from '@proffer/core/operations';
import { refuseParameter } from '../../target.js';

const PHASES: readonly ProposalPhase[] = [
  'pending',
  'approved',
  'fulfilled',
  'settled',
  'withdrawn',
  'expired',
  'declined',
];

/** Proposals listed in one answer, at most. */
export const MOST_LISTED = 500;

/** What a list of proposals is to hold, and where it goes on. */
export interface ProposalQuery {
  readonly state?: ProposalPhase;
  readonly proposer?: string;
  readonly decidedBy?: string;
  readonly limit: number;
  /** The `next` of the previous page. */
  readonly after?: string;
}

/** Reads `state`, `proposer`, `decidedBy`, `limit` and `after`; refuses a value that none of them can have. */
export function readProposalQuery(
  query: URLSearchParams,
): { readonly asked: ProposalQuery } | { readonly refused: Refusal } {
  const written = query.get('state');
  const state = PHASES.find((phase) => phase === written);
  if (written !== null && state === undefined) return invalid('state', written, PHASES.join(', '));
  const limit = query.get('limit') ?? String(MOST_LISTED);
  if (!/^[1-9]\d{0,2}$/.test(limit) || Number(limit) > MOST_LISTED) {
    return invalid('limit', limit, `a number from 1 to ${MOST_LISTED}`);
  }
  const after = query.get('after');
  const isPlace = state === 'pending' ? /^\d{1,15}:./s : /^\d{1,15}$/;
  if (after !== null && !isPlace.test(after)) {
    return invalid('after', after, 'the `next` of an answer to the same question');
  }
  const proposer = query.get('proposer');
  const decidedBy = query.get('decidedBy');
  return {
    asked: {
      limit: Number(limit),
      ...(state === undefined ? {} : { state }),
      ...(after === null ? {} : { after }),
      ...(proposer === null ? {} : { proposer }),
      ...(decidedBy === null ? {} : { decidedBy }),
    },
  };
}

/** Whether a proposal is what was asked for. */
export function fitsQuery(proposal: Proposal, { state, proposer, decidedBy }: ProposalQuery): boolean {
  if (state !== undefined && proposal.phase !== state) return false;
  if (proposer !== undefined && proposal.proposer !== proposer) return false;
  return decidedBy === undefined || decisionOn(proposal)?.by === decidedBy;
}

function invalid(...parameter: Parameters<typeof refuseParameter>): { readonly refused: Refusal } {
  return { refused: refuseParameter(...parameter) };
}
