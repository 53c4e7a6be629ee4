import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from 'vitest';

/** Creates folders on the real disk, and removes them after each test. */
export function useTemporaryFolder(): () => Promise<string> {
  const folders: string[] = [];
  afterEach(async () => {
    for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
  });
  return async () => {
    const folder = await mkdtemp(join(tmpdir(), 'proffer-journal-'));
    folders.push(folder);
    return folder;
  };
}

/**
 * True for files that belong in a copy of an open journal: not its socket, nor drafts, which may be
 * renamed at any moment.
 */
export function isLasting(path: string): boolean {
  return !path.includes('socket-') && !path.endsWith('.draft');
}
