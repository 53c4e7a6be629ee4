import process from 'node:process';

/** What a process has used and has in use. */
export type Usage = {
  /** Microseconds of processor time since it began, those of the system for it included. */
  readonly cpu: number;
  /** Bytes of memory that it holds. */
  readonly rss: number;
  /** Bytes in use on the heap. */
  readonly heap: number;
};

/** What this process uses; with `collect`, after all garbage is collected, which needs `--expose-gc`. */
export function usageOfThis(collect: boolean): Usage {
  if (collect) {
    // What the first collection finds unreachable may be kept by weak references until the second.
    globalThis.gc?.();
    globalThis.gc?.();
  }
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed } = process.memoryUsage();
  return { cpu: user + system, rss, heap: heapUsed };
}
