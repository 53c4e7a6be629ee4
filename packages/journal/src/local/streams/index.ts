export { type Head, isInFlight, type RecentStream, StreamHeads } from './stream-heads.js';
export { Waypoints, walkStream } from './stream-walk.js';
