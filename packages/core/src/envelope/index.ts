export type { Delivered, DialectName } from './dialects/dialect.js';
export * from './envelope.js';
export {
  formatKind,
  isMethod,
  type Kind,
  parseKind,
  type ServedList,
  type Subject,
  subjectOf,
} from './kind.js';
export { createLookalikes, mixesAlphabets } from './lookalike.js';
export { isIdentifier, isParticipantName, isToolName } from './name.js';
export { MAX_RULES_LENGTH } from './payloads/announcement.js';
export { PROPOSAL_STATUSES } from './payloads/lifecycle.js';
export * from './read.js';
export type { SendingContext } from './validate.js';
export { addEnvelope, type Written, writtenOf } from './written.js';
