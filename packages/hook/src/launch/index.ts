/** What hook commands and the resident process share. The command itself is `launch.ts`. */

export { type LaunchHeader, MOST_BYTES, socketIn, USUAL_WAIT, VERSION_VARIABLES } from './protocol.js';
export {
  answerOf,
  type HookAnswer,
  isPermission,
  NO_OPINION,
  undecidedAnswer,
  type WhenUnavailable,
} from './undecided.js';
