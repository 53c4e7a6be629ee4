export { decodeSessions } from './decode-sessions.js';
export { encodeSessions } from './encode-sessions.js';
export type { SessionPart } from './session-part.js';
