export { changed, damaged, describeCutOff } from './damage.js';
export { encodeFrame, type Frame } from './frame.js';
export { readFrames } from './frame-reader.js';
export { framesOf, HistoryReader } from './history.js';
export {
  checkFormat,
  indexPath,
  JOURNAL_FORMAT,
  listFolder,
  removedPath,
  type SegmentName,
  segmentPath,
} from './layout.js';
export { linesOf, parseLine, sealLine } from './record-line.js';
export { Segment } from './segment.js';
export { readIndex, writeIndex } from './segment-index.js';
export { SegmentList } from './segment-list.js';
export { END, encodeSegmentHeader, notBegun, scanSegment } from './segment-scan.js';
export { SegmentWriter } from './segment-writer.js';
