import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Makes a folder, and those above it that are missing, each for its owner alone; nothing where it is there already.
 * Throws what the file system says where it cannot be made, and ENOTDIR where something else has its name or is
 * above it.
 *
 * Step by step, and never with `recursive`: where a file system answers that a new folder's own parent is missing,
 * as /proc does, that tries for ever.
 */
export function makeFolder(path: string): void {
  for (const folder of withThoseAbove(resolve(path))) {
    if (isFolder(folder)) continue;
    try {
      mkdirSync(folder, { mode: 0o700 });
    } catch (error) {
      // Another process may be making it at the same time.
      if (!isFolder(folder)) throw error;
    }
  }
}

/** The outermost first. */
function withThoseAbove(folder: string): readonly string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [...withThoseAbove(above), folder];
}

function isFolder(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined || found.isDirectory()) return found !== undefined;
  throw Object.assign(new Error(`ENOTDIR: ${path} is not a folder`), { code: 'ENOTDIR' });
}
