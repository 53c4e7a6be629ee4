import process from 'node:process';

/** Resource usage of a process. */
export type Usage = {
  /** CPU time since its start, including system time, in microseconds. */
  readonly cpu: number;
  /** Resident memory in bytes. */
  readonly rss: number;
  /** Bytes in use on the heap. */
  readonly heap: number;
};

/** Usage of this process; with `collect`, after garbage collection, which needs `--expose-gc`. */
export function usageOfThis(collect: boolean): Usage {
  if (collect) {
    // Weak references may keep garbage alive until the second collection.
    globalThis.gc?.();
    globalThis.gc?.();
  }
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed } = process.memoryUsage();
  return { cpu: user + system, rss, heap: heapUsed };
}
