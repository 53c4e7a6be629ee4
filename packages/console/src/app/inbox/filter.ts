import { defined } from '@proffer/core/json';
import type { Proposal } from '@proffer/core/operations';
import type { Risk } from '@proffer/core/words';
import type { Group } from './group.js';

/** Which of the pending proposals are listed. It is kept in the URL. */
export interface InboxFilter {
  /** Only what this participant proposed. */
  readonly agent?: string | undefined;
  /** Only what has this risk. */
  readonly risk?: Risk['level'] | undefined;
  /** Only what is asked of the user. */
  readonly isAsked?: boolean | undefined;
}

export const NO_FILTER: InboxFilter = {};

/** The levels of risk, the highest first, as they are named beside the words of a risk. */
export const RISK_LEVELS: Readonly<Record<Risk['level'], string>> = {
  high: 'High risk',
  some: 'Some risk',
  low: 'Low risk',
};

/** Reads a filter from the query of a URL. What it does not know is ignored. */
export function readFilter(query: URLSearchParams): InboxFilter {
  const agent = query.get('agent') ?? '';
  const risk = Object.keys(RISK_LEVELS).find((level) => level === query.get('risk'));
  return {
    ...(agent === '' ? {} : { agent }),
    ...(risk === undefined ? {} : { risk: risk as Risk['level'] }),
    ...(query.get('asked') === 'me' ? { isAsked: true } : {}),
  };
}

/** The query of a URL with a filter; empty if everything is listed. */
export function writeFilter({ agent, risk, isAsked }: InboxFilter): string {
  const query = new URLSearchParams({
    ...defined({ agent, risk }),
    ...(isAsked === true ? { asked: 'me' } : {}),
  });
  return query.size === 0 ? '' : `?${query}`;
}

/** Whether a proposal under a heading is listed. */
export function passes(
  { agent, risk, isAsked }: InboxFilter,
  { proposal, group, riskOf }: Candidate,
): boolean {
  if (isAsked === true && group !== 0) return false;
  if (agent !== undefined && proposal.proposer !== agent) return false;
  return risk === undefined || riskOf(proposal).level === risk;
}

interface Candidate {
  readonly proposal: Proposal;
  readonly group: Group;
  readonly riskOf: (proposal: Proposal) => Risk;
}
