/** What people see of approvals: how far they are, and which calls are reviewed together. Small, for what starts often. */

export { type ApprovalProgress, approvalProgress, describeProgress } from './progress.js';
export { type CallParts, type Comparison, compareCalls, partsOf, similarityOf } from './similar.js';
