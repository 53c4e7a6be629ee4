/// <reference lib="esnext.disposable" preserve="true" />
export { attachCall, scopeOf } from '@proffer/core/agreement';
export type { Acknowledgement } from './acknowledgement.js';
export { type Content, decodeText } from './bytes.js';
export type { HttpTransportOptions } from './http/http-transport.js';
export { MacpClient } from './macp-client.js';
export type { MacpClientOptions } from './macp-client-options.js';
export { devAgent, type MacpAuth } from './macp-client-options.js';
export { MacpError, type MacpErrorCode } from './macp-error.js';
export type { NegotiationCallOptions as MacpCallOptions } from './persist.js';
export type { PolicyDefinition } from './policy-definition.js';
export type { RegistryChange, RuntimeDescription, RuntimeManifest } from './runtime-description.js';
export { DecisionSession } from './session/decision-session.js';
export type { FollowedProjection, FollowerOptions, Project } from './session/follower.js';
export {
  type HandoffContextOptions,
  type HandoffOfferOptions,
  HandoffSession,
} from './session/handoff-session.js';
export { MacpSession, type MacpSessionOptions } from './session/macp-session.js';
export type {
  ApprovalRequestOptions,
  CommitOptions,
  CounterOfferOptions,
  EvaluationOptions,
  MessageOptions,
  OfferOptions,
  OptionOptions,
  RejectOptions,
  RemarkOptions,
  StartOptions,
} from './session/message-options.js';
export { ModeSession, type ModeSessionOptions } from './session/mode-session.js';
export { MultiRoundSession } from './session/multi-round-session.js';
export { ProposalSession } from './session/proposal-session.js';
export { QuorumSession } from './session/quorum-session.js';
export {
  type TaskCompleteOptions,
  type TaskFailOptions,
  type TaskOptions,
  TaskSession,
  type TaskUpdateOptions,
} from './session/task-session.js';
export type { Signal } from './signal.js';
export type {
  AcceptedEnvelope,
  Attempt,
  MacpTransport,
  SessionControl,
  SessionEvent,
  SessionHistoryPage,
  SessionHistoryQuery,
  SessionList,
} from './transport.js';
export type { WatchOptions } from './watch.js';
