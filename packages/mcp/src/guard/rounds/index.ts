/** Calls that asked their caller for input (`input_required`, 2026-07-28), and their later rounds. */

export { isLaterRound, reportRoundUnknown } from './later-round.js';
export {
  type ApprovedRound,
  bringsAnswers,
  isApproved,
  NextRounds,
  NOT_ASKED_FOR,
} from './next-rounds.js';
