import { constants } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import type { Disk } from '@proffer/journal';

/** How writes go wrong: what the system says, after this share of the bytes got there. */
export interface Fault {
  readonly code: 'ENOSPC' | 'EIO';
  readonly share: number;
}

/** A real disk that can be told to fail, or to wait. */
export interface BreakableDisk extends Disk {
  /** Writes so far. */
  readonly writes: number;
  /** What goes wrong with writes; absent when the disk is well. */
  fault: Fault | undefined;
  /** From which write on it goes wrong. Default the next one. */
  faultFrom: number;
  /** Writes wait for it. */
  gate: Promise<void>;
}

export function createBreakableDisk(): BreakableDisk {
  let writes = 0;
  const disk: BreakableDisk = {
    get writes() {
      return writes;
    },
    fault: undefined,
    faultFrom: 0,
    gate: Promise.resolve(),
    async open(path, how) {
      const create = how === 'existing' ? 0 : constants.O_CREAT | constants.O_EXCL;
      const handle = await open(path, constants.O_WRONLY | create, 0o600);
      return {
        async write(bytes, position) {
          const fault = writes++ >= disk.faultFrom ? disk.fault : undefined;
          await disk.gate;
          const length = Math.ceil(bytes.length * (fault?.share ?? 1));
          if (length > 0) await handle.write(bytes, 0, length, position);
          if (fault !== undefined) throw Object.assign(new Error(fault.code), { code: fault.code });
          return length;
        },
        datasync: () => handle.datasync(),
        truncate: (length) => handle.truncate(length),
        close: () => handle.close(),
      };
    },
    rename,
    remove: (path) => rm(path),
    syncFolder: () => Promise.resolve(),
  };
  return disk;
}
