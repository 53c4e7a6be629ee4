import type { JsonObject } from '../../json/json.js';
import type { Proposal } from '../proposal.js';
import type { SpaceSettings } from '../settings.js';
import { entryFor, isNamed, type Person, type ReviewEntry } from './policy.js';

/** The entry that is about a proposal with these params; default those that were proposed. */
export function reviewOf(
  proposal: Proposal,
  { review }: Pick<SpaceSettings, 'review'>,
  params: JsonObject | undefined = proposal.params,
): ReviewEntry | undefined {
  if (review === undefined) return undefined;
  const proposer = { name: proposal.proposer, roles: proposal.requester?.roles };
  return entryFor(review, { method: proposal.method, params, proposer });
}

/** Whether somebody's approval counts: the entry names them, or it was escalated to them (O-28, O-33). */
export function mayApprove({ escalatedTo }: Proposal, { from }: ReviewEntry, person: Person): boolean {
  return isNamed(from, person) || (escalatedTo.length > 0 && isNamed(escalatedTo, person));
}
