export { showParts } from './batch-outcome.js';
export { createGuests, type Guest, type Guests, standingByName } from './guests.js';
export { readProposal } from './past/stored-proposal.js';
export type { Presence } from './presence.js';
export { type Received, receive, submitReading } from './receive.js';
export { type Line, Room } from './room.js';
export type { Submission } from './submission.js';
