export { type ApprovalProgress, approvalProgress } from './progress.js';
export { type CallComparison, type CallParts, compareCalls, partsOf, similarityOf } from './similar.js';

/** The order of pending proposals for people. Never 0 for two different ones. */
export function newestFirst(left: Listed, right: Listed): number {
  return right.proposedAt - left.proposedAt || byId(left, right);
}

interface Listed {
  readonly id: string;
  readonly proposedAt: number;
}

function byId(left: Listed, right: Listed): number {
  if (left.id === right.id) return 0;
  return left.id < right.id ? -1 : 1;
}
