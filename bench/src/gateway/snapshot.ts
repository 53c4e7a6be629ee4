import { copyFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** How long a snapshot may take to be written, in milliseconds. */
const LONGEST_WAIT = 120_000;

/** The snapshot in the folder of a journal, for starts with it and without. */
export interface Snapshot {
  /** Waits until the gateway that runs has written it. */
  written(): Promise<void>;
  /** Has the next start begin with it, whatever was written since. */
  put(): Promise<void>;
  /** Has the next start read everything. */
  remove(): Promise<void>;
}

export function snapshotIn(folder: string): Snapshot {
  const file = join(folder, 'state.snapshot');
  const kept = join(folder, 'kept');
  return {
    async written() {
      const end = performance.now() + LONGEST_WAIT;
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
