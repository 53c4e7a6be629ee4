import { quote } from '../../json/describe.js';
import { type Refusal, refuse } from '../../refusal/refusal.js';
import type { Proposal } from '../proposal/proposal.js';
import type { ReviewEntry } from './policy.js';

/** Somebody by name, and the person behind it. */
export interface Somebody {
  readonly by: string;
  readonly subject?: string | undefined;
}

/** Whether somebody is the person whom the proposer works for, as far as the operator says who that is (O-30). */
export function isRequester({ requester }: Proposal, { by, subject }: Somebody): boolean {
  const { worksFor } = requester ?? {};
  return worksFor !== undefined && (worksFor === by || worksFor === subject);
}

/** The refusal of an approval by the person whom the proposer works for, where the entry excludes it (O-30). */
export function checkRequester(
  proposal: Proposal,
  { notRequester, name: entry }: ReviewEntry,
  somebody: Somebody,
): Refusal | undefined {
  if (notRequester !== true || !isRequester(proposal, somebody)) return undefined;
  const { id, proposer } = proposal;
  const sentence = `${quote(proposer)}, which proposed ${quote(id)}, works for ${quote(somebody.by)}.`;
  return refuse('requester_excluded', sentence, { proposal: id, entry });
}
