import { open, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Replaces a file in one step; returns when it survives a power cut. */
export async function replaceFile(file: string, text: string): Promise<void> {
  await writeFile(`${file}.draft`, text, { mode: 0o600, flush: true });
  await rename(`${file}.draft`, file);
  const folder = await open(dirname(file), 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
