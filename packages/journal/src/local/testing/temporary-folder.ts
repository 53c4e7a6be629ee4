import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from 'vitest';

/** A file system in memory, where there is one. */
const MEMORY = '/dev/shm';

/**
 * Creates folders on the real disk, and removes them after each test.
 *
 * @param options - `inMemory`: on a file system in memory, if there is one. For tests that try every operation or every
 *   byte and check what the files contain: the system calls are the same, without thousands of waits for the disk
 */
export function useTemporaryFolder({ inMemory = false } = {}): () => Promise<string> {
  const top = inMemory && existsSync(MEMORY) ? MEMORY : tmpdir();
  const folders: string[] = [];
  afterEach(async () => {
    for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  return async () => {
    const folder = await mkdtemp(join(top, 'proffer-journal-'));
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
