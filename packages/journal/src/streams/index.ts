export {
  ENTRY_BYTES,
  headOf,
  keyOf,
  type StreamEntry,
  type StreamKey,
  StreamTable,
} from './stream-table.js';
