export { judgeSession, type MisjudgedSession, type SessionJudge } from './judge/judge-session.js';
export * from './mode-descriptors/descriptor.js';
export * from './mode-descriptors/registry.js';
export type { CommitmentRules } from './modes/authority.js';
export type { ServedMode } from './modes/create-modes.js';
export {
  type DecisionEnvelope,
  type DecisionPhase,
  type Deliberation,
} from './modes/decision/deliberation.js';
export type { DecisionEligibility } from './modes/decision/eligibility.js';
export * from './modes/decision/name.js';
export * from './modes/decision/payloads.js';
export * from './modes/decision/policies.js';
export * from './modes/decision/projection.js';
export * from './modes/decision/rules.js';
export type { VotingResult } from './modes/decision/tally.js';
export * from './modes/decision/views.js';
export type { DeclaredRules } from './modes/declared/policies.js';
export * from './modes/eligibility.js';
export * from './modes/handoff/name.js';
export * from './modes/handoff/payloads.js';
export * from './modes/handoff/projection.js';
export { DEFAULT_HANDOFF_RULES, type HandoffRules, type HandoffTerms } from './modes/handoff/rules.js';
export type { HandoffPhase, Transfer } from './modes/handoff/transfer.js';
export * from './modes/message-fields.js';
export type { MessageWords } from './modes/message-words.js';
export type { MultiRoundRules } from './modes/multi-round/mode.js';
export * from './modes/multi-round/name.js';
export * from './modes/multi-round/payloads.js';
export * from './modes/multi-round/projection.js';
export type { MultiRoundPhase, Rounds } from './modes/multi-round/rounds.js';
export type { Missing, ProposalEligibility } from './modes/proposal/eligibility.js';
export { encodeNegotiation } from './modes/proposal/encode.js';
export * from './modes/proposal/name.js';
export {
  type ModeEnvelope,
  type Negotiation,
  type NegotiationPhase,
  phaseOf,
} from './modes/proposal/negotiation.js';
export * from './modes/proposal/payloads.js';
export * from './modes/proposal/policies.js';
export * from './modes/proposal/projection.js';
export * from './modes/proposal/rules.js';
export * from './modes/proposal/views.js';
export type { ApprovalState, Ballot, QuorumEnvelope, QuorumPhase } from './modes/quorum/approval.js';
export type { QuorumEligibility } from './modes/quorum/eligibility.js';
export * from './modes/quorum/name.js';
export * from './modes/quorum/payloads.js';
export * from './modes/quorum/policies.js';
export * from './modes/quorum/projection.js';
export * from './modes/quorum/rules.js';
export { readEnvelope } from './modes/read-envelope.js';
export { findMode, policiesOf, type SessionMode, servedModes } from './modes/registry.js';
export type { DelegatedTask, TaskPhase } from './modes/task/delegated-task.js';
export * from './modes/task/name.js';
export * from './modes/task/payloads.js';
export * from './modes/task/projection.js';
export { DEFAULT_TASK_RULES, type TaskRules, type TaskTerms } from './modes/task/rules.js';
export type { Terms } from './modes/terms.js';
export * from './policy/built-in.js';
export * from './policy/descriptor.js';
export * from './policy/policy-rules.js';
export * from './policy/registry.js';
export * from './projection/any-projection.js';
export * from './projection/mode-projection.js';
export * from './projection/session-projection.js';
export * from './session/commands.js';
export { sessionDecider } from './session/decide.js';
export * from './session/describe-message.js';
export * from './session/encode.js';
export * from './session/ending.js';
export * from './session/explain.js';
export * from './session/reading.js';
export * from './session/records.js';
export { refuseExisting, refuseUnknownSession } from './session/refusals.js';
export * from './session/session.js';
export * from './session/session-caller.js';
export * from './session/signal.js';
export * from './session/summary.js';
export * from './session/what-if.js';
export * from './snapshot/index.js';
export * from './streams.js';
export * from './wire/ack.js';
export * from './wire/commitment-hash.js';
export { MAX_ID_LENGTH, MAX_NAME_LENGTH } from './wire/identifiers.js';
export * from './wire/macp-envelope.js';
export * from './wire/macp-json.js';
export * from './wire/macp-refusal.js';
export { opaqueContent, opaquePayloadFrom } from './wire/opaque-payload.js';
export * from './wire/payload-size.js';
export * from './wire/payloads.js';
export * from './wire/receipt.js';
export { isSessionId } from './wire/session-id.js';
export * from './wire/session-messages.js';
