export { type Disk, type DiskFile, DRAFT, realDisk, writeFully, writeWhole } from './disk.js';
export { type Lock, lockFolder } from './lock.js';
export { makeFolder } from './make-folder.js';
export { lastByte, READ_AHEAD, readBytes, readInPieces } from './read-bytes.js';
