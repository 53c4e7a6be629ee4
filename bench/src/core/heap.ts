import process from 'node:process';

/** Bytes in use on the heap after all garbage is collected. Needs `node --expose-gc`. */
export function heapUsed(): number {
  if (globalThis.gc === undefined) throw new Error('run node with --expose-gc');
  // Garbage may be swept late, or kept by weak references, until the second collection.
  globalThis.gc();
  globalThis.gc();
  return process.memoryUsage().heapUsed;
}
