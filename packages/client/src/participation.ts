/// <reference lib="esnext.disposable" preserve="true" />

export type { ConnectOptions } from './connect.js';
export type { RetryOptions } from './connection/backoff.js';
export type { TokenSource } from './connection/connection.js';
export type { Lost } from './connection/exchange.js';
export type {
  BatchOutcome,
  JournalledMessage,
  Message,
  OutgoingMessage,
  Receipt,
} from './connection/message.js';
export type { OutboxLimits } from './connection/outbox.js';
export type { KeyInForce, Member, Paused, Welcome } from './connection/welcome.js';
export * from './connection-errors.js';
export {
  ApprovalsMissingError,
  DependencyFailedError,
  OperationFailedError,
  OutcomeUnknownError,
  ProposalExpiredError,
  ProposalNotPendingError,
  ProposalRejectedError,
  type ProposalRejection,
  ProposalWaitsError,
  ProposalWithdrawnError,
  RefusedError,
} from './errors.js';
export type { Feed, FeedOptions } from './feed/feed.js';
export type { ApprovalOutcome, ApprovalResult, ApproveOptions } from './operations/approvals.js';
export type { CallOptions } from './operations/calls.js';
export type { CounterOffer, CounterOptions } from './operations/counters.js';
export type { GrantedCapability, GrantInForce, GrantOptions } from './operations/grants.js';
export {
  type CallToolResult,
  type ContentBlock,
  type McpMethods,
  type ParamsOf,
  type ResourceContents,
  type ResultOf,
  textIn,
} from './operations/mcp-methods.js';
export type { ProposalFulfilment, ProposalUpdate } from './operations/own-proposal.js';
export type { PendingProposal, ProposalTargeting } from './operations/pending-proposals.js';
export type {
  IncomingProposal,
  IncomingToolCall,
  OnProposalOptions,
  ProposalHandler,
} from './operations/proposal-inbox.js';
export type {
  ProposalHandle,
  ProposalPromise,
  ProposeOptions,
  TargetingRequest,
} from './operations/propose.js';
export type { ProposalStatus, RejectionReason } from './operations/remarks.js';
export type { DecisionSigner } from './operations/signing.js';
export type { ChatOptions, DelegateOptions, Participant, ParticipantEvents } from './participant.js';
export { sendOnceThere } from './serving/absent-executor.js';
export {
  ANSWERED_LATER,
  type OtherRequest,
  type OtherRequests,
  type Tool,
  type ToolCall,
  type ToolResult,
} from './serving/serve.js';
