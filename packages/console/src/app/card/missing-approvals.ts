import { approvalProgress, describeProgress, type Proposal } from '@proffer/core/operations';
import { plainLine } from '../text/marked.js';

/** How far the approvals are that a policy asks for, such as `1 of 2 approvals, waiting for finance`; nothing without one. */
export function missingApprovals(proposal: Proposal): string | undefined {
  const progress = approvalProgress(proposal);
  return progress === undefined ? undefined : plainLine(describeProgress(progress));
}
