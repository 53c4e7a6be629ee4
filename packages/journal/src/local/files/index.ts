export { holdDescriptors, onDescriptorsUsedUp } from './descriptors.js';
export {
  type Disk,
  type DiskFile,
  DRAFT,
  OnlyReadError,
  type OpenHow,
  readOnlyDisk,
  realDisk,
  writeFully,
  writeWhole,
} from './disk.js';
export { HOLDER_BYTES, type Holder, type Lock, lockExisting, lockFile, pad, readHolder } from './lock.js';
export { makeFolder } from './make-folder.js';
export { checkWritable, noFileAccess, refusingNoFileAccess, type Use } from './no-file-access.js';
export {
  lastByte,
  NotAFileError,
  openToRead,
  READ_AHEAD,
  type ReadFile,
  readBytes,
  readInPieces,
  readWhole,
} from './read-file.js';
