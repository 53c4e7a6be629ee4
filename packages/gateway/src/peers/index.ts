export type { Difference } from './config-comparison.js';
export type { RemoteMember, SharedStream } from './member.js';
export { connectPeers, type Peers, type SpacePeers } from './peers.js';
export { openRevocations, type Revocations } from './revocations.js';
export type { RemoteParticipant } from './roster.js';
