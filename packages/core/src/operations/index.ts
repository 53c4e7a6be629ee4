export type * from './agreements/agreement.js';
export { proposalAgreedOn } from './agreements/decide-agreed.js';
export { uncountedIn } from './agreements/evolve-agreements.js';
export * from './consequences.js';
export type * from './context.js';
export * from './counter/index.js';
export {
  type Delegation,
  type Delegator,
  isInForce as isDelegationInForce,
} from './delegation/delegation.js';
export * from './dependencies/dependency.js';
export * from './grants/index.js';
export { hideArguments } from './hiding/hide-arguments.js';
export { withSalts } from './hiding/hideable-values.js';
export {
  type JudgedRecord,
  type JudgeSpaceOptions,
  judgeSpace,
  type Misjudged,
  type SpaceJudge,
} from './judge/judge-space.js';
export {
  type JudgedVisible,
  judgeVisible,
  type VisibleFault,
  type VisibleJudge,
} from './judge/judge-visible.js';
export * from './judge/rules.js';
export {
  type Assertion,
  type AssertionCheck,
  isRecent,
  readAssertion,
  type SignatureFacts,
} from './keys/check-assertion.js';
export { demandsSignature } from './keys/check-signed.js';
export { mayAllowKeys } from './keys/decide-keys.js';
export {
  type KeyRegistered,
  keysInForce,
  keysOf,
  type NewKey,
  type RegisteredKey,
  registeredKeys,
  viewKey,
} from './keys/key.js';
export {
  decisionDigest,
  newKeyDigest,
  registrationChallenge,
  type SignedContent,
  type SignedDecision,
  signingChallenge,
} from './keys/signed-decision.js';
export {
  ASKED_OTHER,
  decisionAsked,
  requestToSign,
  requestToSignKey,
  type ShownDecision,
  type SigningRequest,
} from './keys/signing-request.js';
export {
  type Invitation,
  type Invited,
  invitationInForce,
  invitedCapabilities,
  invitedStanding,
} from './membership/invitation.js';
export { type Kick, refuseKicked } from './membership/kick.js';
export { definitionOf, type ParticipantState } from './participant.js';
export { type Pause, pauseAfter, viewPause } from './pause/pause.js';
export { refuseWhilePaused } from './pause/pause-participant.js';
export type { ArgumentCheck, ArgumentFault, ArgumentVerdict } from './proposal/arguments.js';
export { NOT_RUN_KEY, reportsUnknownOutcome } from './proposal/decide-answer.js';
export * from './proposal/decide-proposal.js';
export { operationDigest, refuseTakenId } from './proposal/decide-propose.js';
export { endingInNotice, GAVE_UP, type ProposalEnding } from './proposal/ending.js';
export * from './proposal/evolve-proposal.js';
export { expiresSoon } from './proposal/lifetime.js';
export { refuseNotPending } from './proposal/may-fulfil.js';
export * from './proposal/pending-view.js';
export * from './proposal/proposal.js';
export * from './proposal/proposal-view.js';
export * from './proposal/rejection.js';
export * from './records.js';
export type { AgentLimits, AloneUse, ArgumentRange } from './review/agents.js';
export { checkBearer } from './review/approvers.js';
export { judgeByPolicy, type PastJudgement } from './review/judge-past.js';
export {
  type EscalationStep,
  entryFor,
  hasPartInReviews,
  type ReviewEntry,
  type ReviewPolicy,
} from './review/policy.js';
export { type ApprovalProgress, approvalProgress } from './review/progress.js';
export { checkSaysShown, definitionDigest, type ShownVersion } from './review/shown-version.js';
export * from './routing/delivery.js';
export { chooseExecutor, type ExecutorChoice } from './routing/executor.js';
export * from './routing/route.js';
export { seesProposal } from './routing/visibility.js';
export * from './settings.js';
export * from './snapshot/index.js';
export * from './space/decide-in-space.js';
export { isRecordOf, isRepeat, saidIn, seenIds, type TakenId } from './space/recent-ids.js';
export * from './space/replay.js';
export { releaseSpaceUntil } from './space/retention.js';
export * from './space/space.js';
export type { BatchPart, SpaceDecision, StreamAppend } from './space/space-decision.js';
export * from './space/space-view.js';
export * from './space/system-payloads.js';
export { type ObservedCall, observedIn } from './watching/observed-call.js';
