import type { Delegator } from '../delegation/delegation.js';
import type { Proposal } from '../proposal/proposal.js';
import { rejectsProposal } from '../proposal/rejection.js';
import type { Requester } from '../records.js';
import { approversOf, reviewOf } from './approvers.js';
import { isNamed, type ReviewPolicy } from './policy.js';

/**
 * The verdict of a policy on a past proposal (O-28).
 *
 * - `uncovered`: no entry covers it.
 * - `same`: it would have ended as it did, or was not approved at all.
 * - `unapproved`: it ran, with fewer approvals than the entry requires.
 * - `vetoed`: it ran, though someone with a veto had rejected it.
 * - `unknown`: it ran with other params than those proposed, which a proposal alone does not tell.
 */
export type PastJudgement =
  | { readonly verdict: 'uncovered' | 'unknown' }
  | { readonly verdict: 'same'; readonly entry: string }
  | {
      readonly verdict: 'unapproved';
      readonly entry: string;
      /** Approvals that count, and how many are needed. */
      readonly given: number;
      readonly needed: number;
    }
  | { readonly verdict: 'vetoed'; readonly entry: string; readonly by: string };

/**
 * Judges a past proposal by a policy. People are identified as the operator knows them now if the
 * record does not say.
 */
export function judgeByPolicy(
  proposal: Proposal,
  policy: ReviewPolicy,
  personOf: (name: string) => Requester,
): PastJudgement {
  const { proposer, fulfilment, approvals, rejections } = proposal;
  const requester = proposal.requester ?? personOf(proposer);
  const asked = { ...proposal, requester };
  const entry = reviewOf(asked, { review: policy });
  if (policy.length > 0 && fulfilment !== undefined && fulfilment.amendment.length > 0)
    return { verdict: 'unknown' };
  if (entry === undefined) return { verdict: 'uncovered' };
  if (fulfilment === undefined) return { verdict: 'same', entry: entry.name };
  const named = approversOf(asked, entry, { review: policy });
  const counts = (name: string, roles = personOf(name).roles): boolean =>
    name !== proposer && isNamed(named, { name, roles });
  const veto = [...rejections].find(
    ([name, rejection]) => rejectsProposal(rejection) && rejection.at <= fulfilment.at && counts(name),
  );
  if (entry.veto && veto !== undefined) return { verdict: 'vetoed', entry: entry.name, by: veto[0] };
  const given = approvals.filter(({ digest }) => digest === fulfilment.digest);
  const isAlone = entry.agents !== undefined && given.some(({ alone }) => alone === true);
  if (isAlone) return { verdict: 'same', entry: entry.name };
  // A delegate counts as the delegator (O-34).
  const parts = given.map((approval) => approval.onBehalfOf ?? approval);
  const isLast = given.some(({ by }) => by === fulfilment.by);
  const approvers: readonly Delegator[] = isLast ? parts : [{ by: fulfilment.by }, ...parts];
  const counted = approvers
    .filter(({ by, roles }) => counts(by, roles))
    .map(({ by, subject = personOf(by).subject ?? by }) => subject);
  const persons = new Set(counted.filter((person) => person !== (requester.subject ?? proposer)));
  return persons.size >= entry.approvals
    ? { verdict: 'same', entry: entry.name }
    : { verdict: 'unapproved', entry: entry.name, given: persons.size, needed: entry.approvals };
}
