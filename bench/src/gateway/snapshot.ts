import { copyFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** Timeout for a snapshot to be written, in milliseconds. */
const SNAPSHOT_TIMEOUT = 120_000;

/** The snapshot in a journal's folder, to start with or without it. */
export interface Snapshot {
  /** Waits until the running gateway has written it. */
  written(): Promise<void>;
  /** Makes the next start use it, whatever was written since. */
  put(): Promise<void>;
  /** Makes the next start read everything. */
  remove(): Promise<void>;
}

export function snapshotIn(folder: string): Snapshot {
  const file = join(folder, 'state.snapshot');
  const kept = join(folder, 'kept');
  return {
    async written() {
      const end = performance.now() + SNAPSHOT_TIMEOUT;
      while (!(await exists(file))) {
        if (performance.now() > end) throw new Error('no snapshot was written');
        await delay(20);
      }
      await copyFile(file, kept);
    },
    put: () => copyFile(kept, file),
    remove: () => rm(file, { force: true }),
  };
}

async function exists(file: string): Promise<boolean> {
  return await stat(file).then(
    () => true,
    () => false,
  );
}
