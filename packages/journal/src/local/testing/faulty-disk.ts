import { type Disk, type DiskFile, realDisk } from '../files/index.js';

/** An operation about to be performed on the disk. */
export interface Operation {
  readonly kind: 'open' | 'write' | 'note' | 'datasync' | 'truncate' | 'rename' | 'remove' | 'syncFolder';
  readonly path: string;
  /** How many came before it. */
  readonly index: number;
  /** What is written, and where. */
  readonly bytes?: Uint8Array;
  readonly position?: number;
}

/** How an operation fails. */
export interface Fault {
  /** For a write: the fraction of the bytes that is written, 0 to 1. */
  readonly share?: number;
  /** The system's error; if absent, none: a short write. */
  readonly code?: 'ENOSPC' | 'EIO' | 'EMFILE';
}

/**
 * The real disk, with failures according to a plan. The plan may return a promise, and the operation
 * then waits for it.
 */
export function faultyDisk(
  plan: (operation: Operation) => Fault | undefined | Promise<Fault | undefined>,
): Disk {
  let count = 0;
  async function pass<Value>(
    operation: Omit<Operation, 'index'>,
    run: (fault: Fault | undefined) => Promise<Value>,
  ): Promise<Value> {
    const planned = await plan({ ...operation, index: count++ });
    // Only a write can be short.
    const fault = planned?.code === undefined && operation.kind !== 'write' ? undefined : planned;
    // What a failed write has left on the disk stays there.
    const value = fault === undefined || operation.kind === 'write' ? await run(fault) : undefined;
    if (fault?.code !== undefined) {
      throw failed(fault.code, operation.kind);
    }
    return value as Value;
  }
  /** A note is made synchronously, so no plan can delay it. */
  function note(file: DiskFile, path: string, { bytes, position }: Written): void {
    const planned = plan({ kind: 'note', path, bytes, position, index: count++ });
    if (planned !== undefined && !(planned instanceof Promise) && planned.code !== undefined)
      throw failed(planned.code, 'note');
    file.note(bytes, position);
  }
  const wrap = (file: DiskFile, path: string): DiskFile => ({
    identity: file.identity,
    note: (bytes, position) => note(file, path, { bytes, position }),
    write: (bytes, position) =>
      // A copy for the plan: the journal reuses the buffer for the next write.
      pass({ kind: 'write', path, bytes: Uint8Array.from(bytes), position }, async (fault) => {
        const share = fault?.share ?? (fault?.code === undefined ? 1 : 0);
        const some = bytes.subarray(0, Math.ceil(bytes.length * share));
        return some.length === 0 ? 0 : file.write(some, position);
      }),
    datasync: () => pass({ kind: 'datasync', path }, () => file.datasync()),
    truncate: (length) => pass({ kind: 'truncate', path }, () => file.truncate(length)),
    close: () => file.close(),
  });
  return {
    open: (path, how) => pass({ kind: 'open', path }, async () => wrap(await realDisk.open(path, how), path)),
    rename: (from, to) => pass({ kind: 'rename', path: to }, () => realDisk.rename(from, to)),
    remove: (path) => pass({ kind: 'remove', path }, () => realDisk.remove(path)),
    syncFolder: (path) => pass({ kind: 'syncFolder', path }, () => realDisk.syncFolder(path)),
  };
}

interface Written {
  readonly bytes: Uint8Array;
  readonly position: number;
}

function failed(code: string, kind: Operation['kind']): Error {
  return Object.assign(new Error(`${code}: made to fail, ${kind}`), { code });
}
