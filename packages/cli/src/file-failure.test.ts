import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { fileFailure } from './file-failure.js';
import { temporaryFolder } from './testing/cli.js';
import { runHere } from './testing/in-process.js';

it('a file that cannot be used is a sentence with what to do, not an internal error', async () => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, 'guard', 'devices.json');
  mkdirSync(file, { recursive: true });
  const { code, stderr } = await runHere(['devices'], { PROFFER_HOME: folder.path });
  expect([code, stderr]).toEqual([1, expect.stringContaining(`${file} cannot be opened: it is a folder`)]);
  expect(stderr).toContain('Check the file and its permissions');
});

it('says what could not be done, and leaves other errors alone', () => {
  const denied = { code: 'EACCES', path: '/data/port' };
  expect(fileFailure(Object.assign(new Error(), denied, { syscall: 'open' }))?.message).toBe(
    '/data/port cannot be opened: this user is not allowed to (EACCES).',
  );
  expect(fileFailure(Object.assign(new Error(), denied, { syscall: 'rename' }))?.message).toBe(
    '/data/port cannot be changed: this user is not allowed to (EACCES).',
  );
  expect(fileFailure(Object.assign(new Error(), { code: 'ENOENT', path: '/data/port' }))).toBeUndefined();
  expect(fileFailure(new Error('a mistake of ours'))).toBeUndefined();
});
