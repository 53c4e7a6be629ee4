import { type Refusal } from '@proffer/core';
import { defined } from '@proffer/core/json';
import { decisionOn, isOver, type Proposal, type ProposalPhase } from '@proffer/core/operations';
import { refuseParameter } from '../../target.js';

const PHASES: readonly ProposalPhase[] = [
  'pending',
  'approved',
  'fulfilled',
  'allowed',
  'settled',
  'withdrawn',
  'expired',
  'declined',
];

/** Maximum proposals in one answer. */
export const MAX_LISTED = 500;

/** Where a page begins: after a proposal in memory, or after a record of the journal. */
const IN_MEMORY = /^\d{1,15}:./s;
const IN_JOURNAL = /^\d{1,15}$/;
const IN_EITHER = /^\d{1,15}(?::.+)?$/s;

/** Which proposals to list, and where to continue. */
export interface ProposalListQuery {
  readonly state?: ProposalPhase;
  readonly proposer?: string;
  readonly decidedBy?: string;
  /** Only those that changed at this time or later, in milliseconds since 1970, and open ones. */
  readonly since?: number;
  readonly limit: number;
  /** The `next` of the previous page. */
  readonly after?: string;
}

/** Parses `state`, `proposer`, `decidedBy`, `since`, `limit` and `after`; refuses invalid values. */
export function readProposalQuery(
  query: URLSearchParams,
): { readonly asked: ProposalListQuery } | { readonly refused: Refusal } {
  const written = query.get('state');
  const state = PHASES.find((phase) => phase === written);
  if (written !== null && state === undefined) return invalid('state', written, PHASES.join(', '));
  const limit = query.get('limit') ?? String(MAX_LISTED);
  if (!/^[1-9]\d{0,2}$/.test(limit) || Number(limit) > MAX_LISTED) {
    return invalid('limit', limit, `a number from 1 to ${MAX_LISTED}`);
  }
  const since = query.get('since');
  if (since !== null && !/^\d{1,15}$/.test(since)) return invalid('since', since, 'milliseconds since 1970');
  const after = query.get('after');
  const isPlace = state === 'pending' ? IN_MEMORY : since === null ? IN_JOURNAL : IN_EITHER;
  if (after !== null && !isPlace.test(after)) {
    return invalid('after', after, 'the `next` of an earlier answer to the same request');
  }
  const proposer = query.get('proposer');
  const decidedBy = query.get('decidedBy');
  return {
    asked: {
      limit: Number(limit),
      ...defined({ state }),
      ...(after === null ? {} : { after }),
      ...(proposer === null ? {} : { proposer }),
      ...(decidedBy === null ? {} : { decidedBy }),
      ...(since === null ? {} : { since: Number(since) }),
    },
  };
}

/** Whether a proposal matches the query. */
export function fitsQuery(proposal: Proposal, asked: ProposalListQuery): boolean {
  const { state, proposer, decidedBy, since } = asked;
  if (since !== undefined && proposal.changedAt < since && isOver(proposal)) return false;
  if (state !== undefined && proposal.phase !== state) return false;
  if (proposer !== undefined && proposal.proposer !== proposer) return false;
  return decidedBy === undefined || decisionOn(proposal)?.by === decidedBy;
}

function invalid(...parameter: Parameters<typeof refuseParameter>): { readonly refused: Refusal } {
  return { refused: refuseParameter(...parameter) };
}
