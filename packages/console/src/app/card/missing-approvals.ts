import { approvalProgress, describeProgress, type Proposal } from '@proffer/core/operations';
import { plainLine } from '../text/marked.js';

/**
 * The progress of the approvals that a policy requires, such as `1 of 2 approvals, waiting for finance`;
 * nothing without one.
 */
export function missingApprovals(proposal: Proposal): string | undefined {
  const progress = approvalProgress(proposal);
  return progress === undefined ? undefined : plainLine(describeProgress(progress));
}
