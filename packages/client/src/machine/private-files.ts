// Imported by hook commands, whose start-up time every call pays: it imports none of our modules.
import { readFileSync, renameSync, writeFileSync } from 'node:fs';

/** The text of a file; `undefined` if it does not exist. */
export function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    // Node does not name the path if it is a folder.
    throw Object.assign(error as NodeJS.ErrnoException, { path });
  }
}

/** Replaces a file in one step, so that nobody reads half of it. Only its owner can read it, unless `mode` says otherwise. */
export function replaceFile(path: string, text: string, mode = 0o600): void {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, text, { mode });
  renameSync(draft, path);
}
