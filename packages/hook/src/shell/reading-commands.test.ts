import { describe, expect, it } from 'vitest';
import { readShellLine } from './read-line.js';
import { onlyReads } from './reading-commands.js';

const isReading = (line: string): boolean => {
  const { commands, unknown } = readShellLine(line, { home: '/home/ada', folder: '/home/ada/app' });
  return unknown.length === 0 && commands.every(({ words }) => onlyReads(words));
};

describe('a command only reads', () => {
  it.each([
    'ls -la src',
    'ls $X *.ts',
    'cat package.json | head -n 20',
    'cd src && ls',
    'wc -l < x',
    'grep -n "a b" src/a.ts',
    'rg -n -g "*.ts" TODO src',
    'rg -nA3 TODO src/*',
    "find . -name '*.ts' -not -path './x/*' -maxdepth 2 -type f",
    'find . ! -name x -o -empty -print',
    'sort -rnk2 x',
    'sort -t , -k 2 x | cut -d, -f1',
    'git status -sb',
    'git status --porcelain',
    'git log --oneline -5',
    'git log -n 5 --since="2 days ago" -- src',
    'git diff HEAD~1 --stat',
    'git diff --cached -U5 -- src/*',
    'git show HEAD:src/a.ts',
    'git branch -a',
    'git remote -v',
    'git ls-files src',
    'git rev-parse --abbrev-ref HEAD',
    'npm ls --depth=0',
    'git status > /dev/null 2>&1',
  ])('%s', (line) => {
    expect(isReading(line)).toBe(true);
  });

  it.each([
    'rm x',
    'ls > x',
    'ls; rm x',
    './ls',
    'find . -delete',
    'find . -exec rm {} +',
    'find . -fprint x',
    'find . -fls x',
    'find . -okdir rm {} ;',
    'find $X',
    'find . -name $X',
    'sort -o x y',
    'sort -rox y',
    'sort --output=x y',
    'sort --out=x y',
    'sort --compress-program=x y',
    'sort $X',
    'rg --pre x y',
    'rg --hostname-bin=x y',
    'rg -z x',
    'rg --hidden x',
    'rg -uu x',
    'grep -r x .',
    'grep --recursive x .',
    'diff -r a b',
    'git diff --output=x',
    'git diff --output x',
    'git diff --outp=x',
    'git diff --ext-diff',
    'git log --ext-diff -p',
    'git show --textconv x',
    'git diff -O x',
    'git diff $X',
    'git diff src/$X',
    'git -c core.pager=x log',
    'git -C x log',
    'git --exec-path=x log',
    'git branch x',
    'git branch -D x',
    'git branch --list -- x',
    'git tag x',
    'git remote add x y',
    'git stash',
    'git grep -Ox y',
    'git config x',
    'git $X',
    'git',
    'npm install',
    'npm ls --prefix=x',
    'tree -o x',
    'sed -n p x',
    'sudo ls',
    'env',
    'A=1 git branch x',
  ])('%s may do more', (line) => {
    expect(isReading(line)).toBe(false);
  });
});
