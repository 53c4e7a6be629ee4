import { mkdir, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openLocalJournal } from '../open-local-journal.js';
import { useTemporaryFolder } from '../testing/temporary-folder.js';
import { makeFolder } from './make-folder.js';

const temporaryFolder = useTemporaryFolder();

describe('a folder', () => {
  it('is created with its parents, for its owner only, and may already exist', async () => {
    const folder = join(await temporaryFolder(), 'one', 'two');
    makeFolder(folder);
    makeFolder(folder);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
  });

  it('may be reached through a link', async () => {
    const base = await temporaryFolder();
    await mkdir(join(base, 'real'));
    await symlink(join(base, 'real'), join(base, 'link'));
    makeFolder(join(base, 'link', 'inner'));
    expect((await stat(join(base, 'real', 'inner'))).isDirectory()).toBe(true);
  });
});

describe('a journal', () => {
  it('whose folder cannot be created is refused as such, with advice, even where creating it would loop forever', async () => {
    const file = join(await temporaryFolder(), 'file');
    await writeFile(file, 'not a folder');
    for (const folder of [file, join(file, 'journal'), '/proc/nope', '/proc/nope/journal']) {
      const opened = await openLocalJournal(folder);
      expect(opened).toMatchObject({ ok: false, refusal: { code: 'unusable_folder', details: { folder } } });
      if (!opened.ok) expect(opened.refusal.message).toContain('or choose another folder.');
    }
  });
});
