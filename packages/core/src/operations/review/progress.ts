import type { Proposal } from '../proposal/proposal.js';

/** The progress of the approvals that a policy requires (O-28, O-29). */
export type ApprovalProgress = {
  readonly given: number;
  readonly needed: number;
  /** Whose approval is still possible: names and `role:…`. */
  readonly missing: readonly string[];
};

/**
 * The approval progress of a pending proposal, counted for the params that were approved last; before
 * the first approval, according to the policy when it was proposed. Nothing without a policy, and
 * once it is decided.
 */
export function approvalProgress({
  approvals,
  escalatedTo,
  phase,
  review,
}: Pick<Proposal, 'approvals' | 'escalatedTo' | 'phase' | 'review'>): ApprovalProgress | undefined {
  const last = approvals.at(-1);
  const needed = last === undefined ? review?.needed : last.needed;
  if (phase !== 'pending' || needed === undefined) return undefined;
  // The number in the last approval may be too high: an earlier one may have been withdrawn since.
  const counted = approvals.filter(({ digest }) => digest === last?.digest);
  const names = new Set(
    counted.flatMap(({ by, onBehalfOf }) => (onBehalfOf === undefined ? [by] : [by, onBehalfOf.by])),
  );
  const asked = new Set([
    ...(last === undefined ? (review?.from ?? []) : (last.missing ?? [])),
    ...escalatedTo,
  ]);
  return { given: counted.length, needed, missing: [...asked].filter((name) => !names.has(name)) };
}
