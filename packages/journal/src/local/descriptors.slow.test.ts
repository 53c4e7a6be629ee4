import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { collect, texts } from '../testing/index.js';
import program from './testing/exhausted.program';
import { opened } from './testing/open.js';
import { useTemporaryFolder } from './testing/temporary-folder.js';

describe('a process without file descriptors', () => {
  const temporaryFolder = useTemporaryFolder();

  it('I-1: appends, starts new segments and reads them from its reserve, and reports it', async () => {
    const folder = await temporaryFolder();
    const command = 'ulimit -n 128 && exec "$@"';
    const { stdout } = await promisify(execFile)('sh', [
      '-c',
      command,
      'sh',
      process.execPath,
      program,
      folder,
    ]);
    const said = JSON.parse(stdout) as { readonly used: number };
    expect(said).toMatchObject({
      received: ['descriptors_used_up'],
      found: Array.from({ length: 12 }, () => 60),
      faults: [],
    });
    expect(said.used).toBeGreaterThan(10);
    const journal = await opened(folder);
    const found = texts(await collect(journal.read('main/proposal/1')));
    expect(found).toEqual(Array.from({ length: 60 }, (_, index) => String(index)));
    await journal.close();
  });
});
