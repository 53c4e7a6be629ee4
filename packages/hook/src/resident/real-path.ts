import { realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** The target of a path when links are followed, even if it does not exist yet. */
export function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realPath(parent), basename(path));
  }
}
