export { type Head, StreamHeads } from './stream-heads.js';
export { walkStream } from './stream-walk.js';
export { Waypoints } from './waypoints.js';
