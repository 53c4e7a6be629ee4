export * from '../gate/index.js';
export { type ApprovalResponsesOptions, approvalResponses } from './approval-responses.js';
export { type AiSdkToolsOptions, approvedTools } from './approved-tools.js';
