import type { TailLimits } from '../live-tail.js';
import type { Disk } from './files/index.js';
import type { FolderLock } from './lock-folder.js';
import type { Recovered } from './recovery.js';
import type { ProgressWriter } from './segments/index.js';

/** The parts of a local journal. */
export interface LocalJournalParts {
  readonly folder: string;
  readonly disk: Disk;
  readonly lock: FolderLock;
  readonly progress: ProgressWriter;
  /** Called once, before anything but the progress is written. */
  readonly prepare: () => Promise<void>;
  readonly recovered: Recovered;
  readonly segmentBytes: number;
  readonly batchBytes: number;
  readonly tail: TailLimits;
}
