import type { Proposal } from '@proffer/core/operations';
import type { Proposals } from './proposals.js';

/** Earlier decided proposals for the same tool, prompt or resource, newest first. */
export function similarTo(proposal: Proposal, proposals: Pick<Proposals, 'ended'>): readonly Proposal[] {
  const { id, method, subject, proposedAt } = proposal;
  const found: Proposal[] = [];
  for (const other of proposals.ended()) {
    if (other.id === id || other.proposedAt > proposedAt) continue;
    if (other.method === method && other.subject?.name === subject?.name) found.push(other);
  }
  return found.sort((left, right) => right.changedAt - left.changedAt);
}
