export type { HiddenReason } from './hidden.js';
export {
  makeVisible,
  printableJson,
  type SegmentOptions,
  segmentText,
  type TextSegment,
} from './segments.js';
