import { compileGlob, foldName, matchGlob } from '@proffer/core/capability';
import type { PathNames } from './command-condition.js';

/**
 * Files and folders that another program runs later, or that say what it runs: git's hooks and settings, an editor's
 * tasks, what a shell starts with. Whoever may write them need not ask again.
 */
export const RUN_LATER: { readonly folders: readonly string[]; readonly files: readonly string[] } = {
  folders: ['.git', '.claude', '.vscode', '.idea', '.husky'],
  files: [
    '.mcp.json',
    '.gitconfig',
    '.gitmodules',
    '.envrc',
    '.npmrc',
    '.bashrc',
    '.bash_profile',
    '.zshrc',
    '.zshenv',
    '.zprofile',
    '.profile',
  ],
};

const NAMES: ReadonlySet<string> = new Set([...RUN_LATER.folders, ...RUN_LATER.files]);

/**
 * Which of them a place is, or is in, at any depth. Agents work in folders such as `.claude/worktrees/x`, so what is
 * above the working folder counts only if it is `.git`.
 */
export function runLaterAt(names: PathNames): readonly string[] {
  const [first = ''] = names;
  const here = names.find((name) => name.startsWith('./')) ?? first;
  const isInGit = names.some((name) => partsOf(name).includes('.git'));
  return [...new Set([...(isInGit ? ['.git'] : []), ...partsOf(here).filter((part) => NAMES.has(part))])];
}

/** Whether a pattern names all of these itself: a wildcard does not stand for them. */
export function namesAll(pattern: string, found: readonly string[]): boolean {
  const parts = partsOf(pattern);
  return found.every((name) => parts.includes(name));
}

/**
 * Whether a pattern of commands names this place itself. With wildcards, one of its words must be the path from the
 * working folder: in `cp .git/config **`, the first file does not stand for others.
 */
export function namesPlace(pattern: string, names: PathNames): boolean {
  const found = runLaterAt(names);
  if (!pattern.includes('*')) return namesAll(pattern.replaceAll('=', ' '), found);
  return pattern.split(/\s+/).some((word) => {
    const file = word.replace(/^(?:.*=)?(?:\.\/)*/, '').replace(/\/+$/, '');
    if (!namesAll(file, found)) return false;
    const globs = [file, `./${file}`].map((text) => compileGlob(text, '/\\'));
    return names.some((name) => globs.some((glob) => matchGlob(glob, name)));
  });
}

/** The parts of a path as file systems compare them: some ignore case, and Windows the dots and spaces at the end. */
function partsOf(path: string): readonly string[] {
  return path.split(/[\\/\s]/).map((part) => {
    const plain = foldName(part).replace(/(?<=.)(?::.*|[. ]+)$/, '');
    return plain === 'git~1' ? '.git' : plain;
  });
}
