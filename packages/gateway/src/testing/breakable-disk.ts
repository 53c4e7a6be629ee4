import { type Disk, realDisk } from '@proffer/journal';

/** How writes fail: the system's error, after this share of the bytes was written. */
export interface Fault {
  readonly code: 'ENOSPC' | 'EIO' | 'EMFILE';
  readonly share: number;
}

/** A real disk that can be told to fail, or to wait. */
export interface BreakableDisk extends Disk {
  /** Writes so far. */
  readonly writes: number;
  /** How writes fail; absent when the disk works. */
  fault: Fault | undefined;
  /** The first write that fails. Default: the next one. */
  faultFrom: number;
  /** Writes wait for it. */
  gate: Promise<void>;
}

export function createBreakableDisk(): BreakableDisk {
  let writes = 0;
  const disk: BreakableDisk = {
    ...realDisk,
    get writes() {
      return writes;
    },
    fault: undefined,
    faultFrom: 0,
    gate: Promise.resolve(),
    async open(path, how) {
      const file = await realDisk.open(path, how);
      return {
        ...file,
        async write(bytes, position) {
          const fault = writes++ >= disk.faultFrom ? disk.fault : undefined;
          await disk.gate;
          const length = Math.ceil(bytes.length * (fault?.share ?? 1));
          if (length > 0) await file.write(bytes.subarray(0, length), position);
          if (fault !== undefined) throw Object.assign(new Error(fault.code), { code: fault.code });
          return length;
        },
      };
    },
  };
  return disk;
}
