export type { HiddenReason } from './hidden.js';
export { type DiffLine, diffLines } from './line-diff.js';
export {
  makeVisible,
  printableJson,
  type SegmentOptions,
  segmentText,
  type TextSegment,
} from './segments.js';
