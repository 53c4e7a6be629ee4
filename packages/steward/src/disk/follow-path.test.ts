import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDisk } from './disk.js';
import { followPath } from './follow-path.js';

let root: string;
const at = (path: string): string => join(root, path);
beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'follow-')));
  mkdirSync(at('a/b'), { recursive: true });
  mkdirSync(at('c/d'), { recursive: true });
  writeFileSync(at('a/file'), '');
  symlinkSync('../c/d', at('a/link'));
  symlinkSync(at('a/link'), at('c/twice'));
  symlinkSync('../nothing/here', at('a/dangling'));
  symlinkSync('loop', at('a/loop'));
  symlinkSync('dangling', at('a/chain'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const follow = (path: string) => followPath(`${root}/${path}`, openDisk());
const names = (path: string) => follow(path).names.map((name) => name.slice(root.length + 1));

describe('following a path', () => {
  it.each([
    ['a/b/new', ['a/b/new']],
    ['a//b/./new/', ['a/b/new']],
    ['a/link/x', ['a/link/x', 'c/d/x']],
    ['a/link', ['a/link', 'c/d']],
    ['a/link/', ['a/link', 'c/d']],
    ['c/twice/x', ['c/twice/x', 'a/link/x', 'c/d/x']],
    ['a/file/x', ['a/file/x']],
  ])('%s: by each name on the way', (path, expected) => {
    expect(names(path)).toEqual(expected);
  });

  it('finds the target of a link that leads to nothing yet', () => {
    expect(names('a/dangling')).toEqual(['a/dangling', 'nothing/here']);
    expect(names('a/chain')).toEqual(['a/chain', 'a/dangling', 'nothing/here']);
    expect(names('a/dangling/x')).toContain('nothing/here/x');
  });

  it('reads `..` both as the kernel does and as text', () => {
    expect(names('a/link/../x')).toEqual(expect.arrayContaining(['a/x', 'c/x']));
    expect(names('a/link/../../x')).toEqual(expect.arrayContaining(['x']));
    expect(followPath(`${root}/../../../../../../../..`, openDisk()).names).toContain('/');
  });

  it('ends, and says that it is unclear, if links never do', () => {
    expect(follow('a/loop/x').unclear).toContain('too many links');
    expect(follow('a/link/../'.repeat(10_000)).unclear).toContain('too many parts');
    expect(follow('a/x\0y').unclear).toContain('NUL');
  });

  it('does not guess what a process has open', () => {
    const unclear = [
      '/proc/self/cwd/x',
      '/proc/self/root/etc',
      '/proc/1/cwd',
      `/proc/${process.pid}/fd/7`,
      '/proc/self/task/1/cwd/x',
      '/proc/thread-self/cwd',
      '/proc/../proc/self/./cwd/x',
    ];
    for (const path of unclear)
      expect(followPath(path, openDisk())).toMatchObject({ unclear: expect.stringContaining('/proc') });
    for (const path of ['/dev/stdout', '/dev/fd/2', '/dev/null', '/proc/self/status', '/proc/cpuinfo'])
      expect(followPath(path, openDisk())).toEqual({ names: [path] });
    expect(followPath('/dev/fd/63', openDisk()).unclear).toContain('/dev/fd/63');
    symlinkSync('/proc/self/cwd', at('c/here'));
    expect(follow('c/here/x').unclear).toBeDefined();
  });
});

describe('the identity of a file', () => {
  it('is the same by all its names', () => {
    linkSync(at('a/file'), at('c/hard'));
    const disk = openDisk();
    expect(disk.identityOf(at('c/hard'))).toEqual({ ...disk.identityOf(at('a/file')), hasOtherNames: true });
    expect(disk.idsIn(at('a'))).toContain(disk.identityOf(at('c/hard'))?.id);
    expect(disk.identityOf(at('a/none'))).toBeUndefined();
    expect(disk.idsIn(at('a/none'))).toEqual(new Set());
  });
});
