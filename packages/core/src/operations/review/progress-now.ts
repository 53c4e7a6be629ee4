import type { Approval, Proposal } from '../proposal/proposal.js';
import type { SpaceSettings } from '../settings.js';
import { approversOf, reviewOf } from './approvers.js';
import { countedFor, missingFrom, namesOf } from './decide-approval.js';

/**
 * A pending proposal with what the policy requires now (O-28): the records say what it required when something was
 * proposed or approved, and the operator may have changed it since. Counted for the params that were approved last.
 */
export function underCurrentPolicy(proposal: Proposal, settings: Pick<SpaceSettings, 'review'>): Proposal {
  const last = proposal.approvals.at(-1);
  const { digest = proposal.digest, params = proposal.params } = last ?? {};
  const entry = reviewOf(proposal, settings, params);
  if (entry === undefined) {
    const approvals = proposal.approvals.map(withoutCount);
    return { ...proposal, review: undefined, approvals };
  }
  const asked = approversOf(proposal, entry, settings);
  const counted = countedFor(proposal, digest, { entry, approvers: asked });
  const missing = missingFrom(asked, counted.flatMap(namesOf));
  // One that counts no longer is not shown as an approval.
  const approvals = proposal.approvals
    .filter((each) => each.digest !== digest || counted.includes(each))
    .map((each) => (each.digest === digest ? recounted(each, entry.approvals, missing) : each));
  const review = { entry: entry.name, needed: entry.approvals, from: entry.from };
  return { ...proposal, review, approvals };
}

function recounted(approval: Approval, needed: number, missing: readonly string[]): Approval {
  return { ...approval, needed, missing };
}

function withoutCount({ given: _given, needed: _needed, missing: _missing, ...rest }: Approval): Approval {
  return rest;
}
