import { realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Where a path leads when links are followed, also for what is not there yet. */
export function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realPath(parent), basename(path));
  }
}
