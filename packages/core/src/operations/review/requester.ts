import { quote } from '../../json/describe.js';
import { type Refusal, refuse } from '../../refusal/refusal.js';
import type { Proposal } from '../proposal/proposal.js';
import type { ReviewEntry } from './policy.js';

/** A participant by name, and the person behind it. */
export interface Somebody {
  readonly by: string;
  readonly subject?: string | undefined;
}

/** Whether someone is the person the proposer works for, as far as the operator says so (O-30). */
export function isRequester({ requester }: Proposal, { by, subject }: Somebody): boolean {
  const { worksFor } = requester ?? {};
  return worksFor !== undefined && (worksFor === by || worksFor === subject);
}

/** The refusal of an approval by the person the proposer works for, if the entry excludes it (O-30). */
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
