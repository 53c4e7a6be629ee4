import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Creates a folder and its missing parents, each for its owner only; does nothing if it exists.
 * Throws the file system's error if it cannot be created, and ENOTDIR if something else has its name
 * or is above it.
 *
 * Step by step, never with `recursive`: that loops forever on file systems that report a new folder's
 * own parent as missing, as /proc does.
 */
export function makeFolder(path: string): void {
  for (const folder of withParents(resolve(path))) {
    if (isFolder(folder)) continue;
    try {
      mkdirSync(folder, { mode: 0o700 });
    } catch (error) {
      // Another process may be creating it at the same time.
      if (!isFolder(folder)) throw error;
    }
  }
}

/** The outermost first. */
function withParents(folder: string): readonly string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [...withParents(above), folder];
}

function isFolder(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined || found.isDirectory()) return found !== undefined;
  throw Object.assign(new Error(`ENOTDIR: ${path} is not a folder`), { code: 'ENOTDIR' });
}
