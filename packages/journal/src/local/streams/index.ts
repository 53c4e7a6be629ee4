export { type Head, StreamHeads } from './stream-heads.js';
export { ENTRY_BYTES, headOf, StreamTable } from './stream-table.js';
export { walkStream } from './stream-walk.js';
export { Waypoints } from './waypoints.js';
