import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../testing/cli.js';
import { oneTimeCodes } from './one-time-codes.js';

describe('one-time code', () => {
  it('works once, also across processes, and not for a reader of the folder', async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, 'codes');
    const code = oneTimeCodes(path, 1_000).make(Date.now());
    expect(Buffer.from(code, 'base64url')).toHaveLength(16);
    const elsewhere = oneTimeCodes(path, 1_000);
    const [file = ''] = readdirSync(path);
    expect([file, `../codes/${file}`, ''].map((guess) => elsewhere.take(guess, Date.now()))).toEqual([
      false,
      false,
      false,
    ]);
    expect(elsewhere.take(code, Date.now())).toBe(true);
    expect(elsewhere.take(code, Date.now())).toBe(false);
  });

  it('expires, and leaves nothing behind', async () => {
    await using folder = await temporaryFolder();
    const codes = oneTimeCodes(folder.path, 1_000);
    const now = Date.now();
    expect(codes.take(codes.make(now), now + 1_000)).toBe(false);
    codes.make(now);
    codes.make(now + 60_000);
    expect(readdirSync(folder.path)).toHaveLength(1);
  });
});
