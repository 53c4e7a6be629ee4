/** How a guarded call ends, and what its caller and its approver are told. */

export { ACCEPT_TOOL, OWN_TOOLS, toolsIn, WAIT_TOOL, withWaitTool } from '../wait-tool.js';
export {
  type AnswerContext,
  answerFor,
  contextOf,
  deniedResult,
  type OfferedEdit,
  OUTCOME_KEY,
  offeredResult,
  stillWaitingResult,
} from './answers.js';
export { notAccepted, notListed, unknownCall, wentWrong } from './call-refusals.js';
export { isUnwanted } from './called-off.js';
export { keptResult, lostInAnswer, withoutResult } from './kept-result.js';
export { notProposed, notTaken, notThisServer } from './not-run.js';
export { waitingText, waitingTextOf } from './waiting-text.js';
