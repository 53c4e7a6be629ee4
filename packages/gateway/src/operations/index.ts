export { createInvitationSource } from './inviting.js';
export { LiveSpace, type SenderQueue } from './live-space.js';
export { createKeyChecks } from './passkeys.js';
export { readProposal } from './past/stored-proposal.js';
export type { Presence } from './presence.js';
export { type Received, receive, submitReading } from './receive.js';
export {
  createSpaceAdmission,
  rightsByName,
  type SpaceAdmission,
  type SpaceCaller,
} from './space-admission.js';
export { type SpaceMessageOutcome, showParts } from './space-message-outcome.js';
