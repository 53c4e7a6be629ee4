export { type Head, StreamHeads } from './stream-heads.js';
export { Waypoints, walkStream } from './stream-walk.js';
