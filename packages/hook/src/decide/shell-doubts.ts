import { isAbsolute } from 'node:path';
import { isWithin, type PathContext, placesOf } from '@proffer/steward/disk';
import { beginningOf, type ShellCommand, type ShellWord } from '../shell/index.js';
import { mayReach } from './may-reach.js';
import type { Protected } from './protections.js';
import { type PartialWord, unreadWords } from './unread-words.js';

/** Whether a path is a folder above something protected. */
export function isAbove(paths: readonly string[], { folders, files, endings }: Protected): boolean {
  return (
    folders.some((folder) => paths.some((path) => isWithin(path, folder))) ||
    files.some((file) => paths.includes(parentOf(file))) ||
    endings.some((ending) => paths.some((path) => path.endsWith(`/${parentOf(ending)}`)))
  );
}

/** Whether commands may mean something protected by a word that is only known in part, such as a glob. */
export function mayMean(
  commands: readonly ShellCommand[],
  guarded: Protected,
  surroundings: PathContext,
): boolean {
  const targets = [...guarded.folders, ...guarded.files];
  const isAround = (beginning: string): boolean =>
    beginning.endsWith('/') && targets.some((path) => path.startsWith(beginning));
  return commands.some(({ words, folders }) =>
    words
      .filter(({ value }) => value === null || folders === undefined)
      .flatMap((word) => readingsOf(word, folders, surroundings))
      .some((word) => isAround(word.pieces[0] ?? '') || mayName(word, guarded)),
  );
}

/**
 * What a word that is known in part, or is in a folder that is not known, may be as a path: all of it, or what follows
 * an option or `=`.
 */
function readingsOf(
  word: ShellWord,
  folders: ShellCommand['folders'],
  surroundings: PathContext,
): readonly PartialWord[] {
  const { gaps, pieces } = word;
  const first = beginningOf(word);
  const beginnings = new Set([first, first.replace(/^.*[=:,@]/s, ''), first.replace(/^-\w/, '')]);
  return [...beginnings].flatMap((beginning): readonly PartialWord[] => {
    const isOpen = beginning === '' && gaps[0] === 'text';
    const isRooted = isOpen || /^[/~]/.test(beginning);
    const rest = pieces.slice(1);
    // In a folder that is not known, it may be anywhere.
    if (!isRooted && folders === undefined)
      return [{ pieces: ['', `/${beginning}`, ...rest], gaps: ['text', ...gaps] }];
    const bases = isRooted ? [undefined] : (folders ?? []);
    const absolute = isOpen ? [''] : bases.flatMap((from) => beginningsOf(beginning, surroundings, from));
    return absolute.map((path) => ({ pieces: [path, ...rest], gaps }));
  });
}

/** Stands for the rest of a name, so that a slash before it is kept. */
const MARK = '_';

/** How a path begins, in absolute form and behind links. */
function beginningsOf(text: string, surroundings: PathContext, from?: string): readonly string[] {
  const { paths } = placesOf(`${text}${MARK}`, from === undefined ? surroundings : { ...surroundings, from });
  return paths
    .flatMap((names) => names.filter((name) => isAbsolute(name)))
    .map((name) => name.slice(0, -MARK.length));
}

/** No system opens a longer path, in characters. */
const LONGEST_PATH = 4_096;

/** Whether a word may name something protected; its beginning is absolute or open. */
function mayName(word: PartialWord, { folders, files, endings }: Protected): boolean {
  if ([...folders, ...files].some((path) => mayReach(word, path))) return true;
  const [first = '', ...rest] = word.pieces;
  const names = first.slice(-LONGEST_PATH).split('/');
  const tails = names.map((_, index) => names.slice(index).join('/'));
  return endings.some((ending) =>
    tails.some((tail) => mayReach({ pieces: [tail, ...rest], gaps: word.gaps }, ending)),
  );
}

/**
 * Whether a line that is not understood has a word that may be part of a protected name: one that could lead there, or
 * a name on the way, such as `.config` or `proffer`.
 */
export function namesProtected(line: string, guarded: Protected, surroundings: PathContext): boolean {
  const { home } = surroundings;
  const below = guarded.folders
    .concat(guarded.files)
    .map((path) => (isWithin(home, path) ? path.slice(home.length) : path));
  const names = [...below, ...guarded.endings.map((ending) => `/${ending}`)].map(
    (name) => `${name.toLowerCase()}/`,
  );
  return unreadWords(line).some((word) => {
    const [first = '', ...rest] = word.pieces;
    if (rest.length > 0) {
      const beginnings = first === '' ? [''] : beginningsOf(first, surroundings);
      return beginnings.some((beginning) =>
        mayName({ pieces: [beginning, ...rest], gaps: word.gaps }, guarded),
      );
    }
    const plain = first.toLowerCase().replace(/^(?:~?\/|\.\/)+|\/+$/g, '');
    return /^\.\w|proffer|\//.test(plain) && names.some((name) => name.includes(`/${plain}/`));
  });
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), 1));
}
