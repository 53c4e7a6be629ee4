/** Calls that asked their caller for more (`input_required`, 2026-07-28), and the rounds that follow. */

export { isLaterRound } from './later-round.js';
export { leftRounds } from './left-rounds.js';
export {
  type ApprovedRound,
  bringsAnswers,
  isApproved,
  NextRounds,
  NOT_ASKED_FOR,
  type Owner,
} from './next-rounds.js';
export { sayRoundUnknown } from './round-notice.js';
