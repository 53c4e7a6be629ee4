export {
  changed,
  cutOffWrite,
  damaged,
  describeCutOff,
  listsMissing,
  lost,
  missing,
  readingFile,
} from './damage.js';
export { formatPath, JOURNAL_FORMAT, readFormat, writeFormat } from './format.js';
export { encodeFrame, type Frame } from './frame.js';
export { readFrames } from './frame-reader.js';
export { framesOf, HistoryReader } from './history.js';
export {
  type Contents,
  indexPath,
  listFolder,
  progressPath,
  removedPath,
  type SegmentName,
  segmentPath,
  snapshotPath,
  treePath,
} from './layout.js';
export { LineBuffer } from './line-buffer.js';
export {
  NO_PROGRESS,
  type NumberedProgress,
  type Progress,
  ProgressFile,
  type ProgressWriter,
  readProgress,
} from './progress-file.js';
export { linesOf, parseLine, sealLine, sealLines } from './record-line.js';
export { Segment } from './segment.js';
export { encodeSegmentHeader } from './segment-header.js';
export { readIndex, writeIndex } from './segment-index.js';
export { SegmentList } from './segment-list.js';
export { SegmentLock } from './segment-lock.js';
export { END, isEnd, noFirstFrame, scanSegment } from './segment-scan.js';
export { SegmentWriter, type Seqs } from './segment-writer.js';
export { MOST_UNSYNCED } from './sync-later.js';
