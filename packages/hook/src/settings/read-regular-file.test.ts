import { mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NotRegularError, readRegularFile } from './index.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'proffer-regular-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a settings file', () => {
  it('is read where a link leads', () => {
    writeFileSync(join(folder, 'file'), '{"a":1}');
    symlinkSync('file', join(folder, 'link'));
    expect(readRegularFile(join(folder, 'link')).toString('utf8')).toBe('{"a":1}');
  });

  it.each(['/dev/zero', '/dev/null', '/', tmpdir()])('is not %s, directly or by a link', (target) => {
    const link = join(folder, encodeURIComponent(target));
    symlinkSync(target, link);
    for (const path of [target, link]) expect(() => readRegularFile(path)).toThrow(NotRegularError);
  });

  it('is not read if it is too large', () => {
    const file = join(folder, 'large');
    writeFileSync(file, '');
    truncateSync(file, 16_777_217);
    expect(() => readRegularFile(file)).toThrow(new NotRegularError('it is larger than 16 MiB'));
    expect(() => readRegularFile(join(folder, 'file'), 3)).toThrow(NotRegularError);
  });
});
