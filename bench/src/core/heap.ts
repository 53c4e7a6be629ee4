import process from 'node:process';

/** Bytes in use on the heap after all garbage is collected. Needs `node --expose-gc`. */
export function heapUsed(): number {
  if (globalThis.gc === undefined) throw new Error('run node with --expose-gc');
  // What the first collection finds unreachable may still be swept, or kept by weak references, until the second.
  globalThis.gc();
  globalThis.gc();
  return process.memoryUsage().heapUsed;
}
