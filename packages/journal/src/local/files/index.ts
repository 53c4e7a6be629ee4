export { holdDescriptors, onDescriptorsUsedUp } from './descriptors.js';
export { type Disk, type DiskFile, DRAFT, type OpenHow, realDisk, writeFully, writeWhole } from './disk.js';
export { HOLDER_BYTES, type Holder, type Lock, lockExisting, lockFile, pad } from './lock.js';
export { makeFolder } from './make-folder.js';
export { NotAFileError, openToRead, type ReadFile, readBytes, readWhole } from './read-file.js';
export { lastByte, READ_AHEAD, readInPieces } from './read-pieces.js';
