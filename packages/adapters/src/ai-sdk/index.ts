export * from '../gate/index.js';
export { type ApprovalResponsesOptions, approvalResponses } from './approval-responses.js';
export { type ApprovedToolsOptions, approvedTools } from './approved-tools.js';
