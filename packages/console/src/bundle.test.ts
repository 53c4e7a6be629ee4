import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { CONSOLE_FOLDER } from './index.js';

it('loads at most 100 kB of compressed script to show the inbox, all of it from files', async () => {
  const page = await readFile(join(CONSOLE_FOLDER, 'index.html'), 'utf8');
  const scripts = [...page.matchAll(/\/console\/(assets\/[^"]+\.js)/g)].map(([, name = '']) => name);
  const files = await Promise.all(scripts.map((name) => readFile(join(CONSOLE_FOLDER, name))));
  const size = files.reduce((sum, file) => sum + gzipSync(file).length, 0);
  expect(scripts).not.toHaveLength(0);
  expect(size).toBeLessThan(100_000);
  expect(page).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\son\w+=/);
});

it.each(['sw.js', 'verify.js'])(
  'has %s in one file: browsers run a worker as a script, which cannot import',
  async (name) => {
    const worker = await readFile(join(CONSOLE_FOLDER, name), 'utf8');
    expect(() => new Script(worker)).not.toThrow();
  },
);
