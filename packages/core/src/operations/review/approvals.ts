/**
 * What people see of approvals: their progress, and which calls are reviewed together. Small, for
 * programs that start often.
 */

export { newestFirst } from './newest-first.js';
export { type ApprovalProgress, approvalProgress } from './progress.js';
export { type CallComparison, type CallParts, compareCalls, partsOf, similarityOf } from './similar.js';
