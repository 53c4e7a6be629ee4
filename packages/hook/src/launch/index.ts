/** What hook commands and the resident process share. The command itself is `launch.ts`. */

export {
  DEFAULT_WAIT,
  type LaunchHeader,
  MAX_BYTES,
  socketIn,
  TRIED_EVENT,
  VERSION_VARIABLES,
} from './protocol.js';
export {
  answerOf,
  type HookOutput,
  isPermission,
  isReport,
  NO_OPINION,
  undecidedAnswer,
  type WhenUnavailable,
} from './undecided.js';
export { agentAbove } from './when-agent-ends.js';
