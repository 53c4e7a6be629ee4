/**
 * JSON as bytes: one pass over a received text says whether it is in order, and where its parts are; from that its
 * canonical bytes are written without an object in between. Knows nothing of messages and has no rules.
 */
export { Tape, wordOf } from './tape.js';
export { writeScanned } from './write.js';
