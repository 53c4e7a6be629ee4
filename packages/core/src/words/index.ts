/**
 * What people are told about proposals, steps and endings: the same sentences on the command line, in the console and
 * in notifications. Every table is complete, or does not compile.
 */
export { awayHeaders, awayPage } from './away-page.js';
export {
  type DecidedProposal,
  describeAfterRejection,
  describeDecision,
  describeResult,
} from './decision.js';
export { deviceName } from './device.js';
export { describeCause, describeEnding, describeUnknown } from './ending.js';
export {
  describeBound,
  describeBounds,
  describeCapability,
  describeGranted,
  type GrantBounds,
} from './grant.js';
export { describeByRule, MARKS, type MarkName, marksOf, NO_RULE, readByRule } from './mark.js';
export { describeNotice } from './notice.js';
export { describeOperation, verbOf } from './operation.js';
export { describeReason, describeRejection, describeStatus, quoteReason, REASONS } from './reason.js';
export { describeRisk, type Risk, type ServedTool } from './risk.js';
export { ROLES, type RoleName, roleOf } from './role.js';
export {
  describeDeadline,
  describeDependencies,
  describeNewExecutor,
  describeProgress,
  describeReservation,
  describeStanding,
} from './standing.js';
export {
  describeState,
  STATES,
  type Stated,
  type StateName,
  type StateWords,
  stateOf,
  type Tone,
} from './state.js';
export { describeStep, type Step, type StepWords } from './step.js';
export { describeTrustQuestion, type ServerTrustQuestion, trustQuestionIn } from './trust-question.js';
export { describeUnexplained } from './unexplained-record.js';
export { allOf, anyOf, count, describeLength, PLAIN, person, subject, type Voice } from './voice.js';
export { describeWatched, type WatchCounts } from './watch.js';
