/// <reference types="node" preserve="true" />
export type * from './backend.js';
export * from './backends.js';
export * from './journal.js';
export * from './journal-error.js';
export type { TailLimits } from './live-tail.js';
export * from './local/index.js';
export * from './memory/index.js';
export { nativeSha256 } from './native-hash.js';
export type { AppendOutcome } from './outcome.js';
export { isOfSpace, type StoredRecord, spaceOf, storedRecord } from './stored-record.js';
export type { TreeRow, TreeStore } from './tree-store.js';
