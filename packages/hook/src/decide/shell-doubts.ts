import { isAbsolute } from 'node:path';
import { isWithin, type PathContext, placesOf } from '@proffer/steward/disk';
import { beginningOf, type Gap, type ShellCommand, type ShellWord } from '../shell/index.js';
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
  pathContext: PathContext,
): boolean {
  const targets = [...guarded.folders, ...guarded.files];
  const isAround = (beginning: string): boolean =>
    beginning.endsWith('/') && targets.some((path) => path.startsWith(beginning));
  return commands.some(({ words, folders }) =>
    words
      .filter(({ value }) => value === null || folders === undefined)
      .flatMap((word) => readingsOf(word, folders, pathContext))
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
  pathContext: PathContext,
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
    const absolute = isOpen ? [''] : bases.flatMap((from) => beginningsOf(beginning, pathContext, from));
    return absolute.map((path) => ({ pieces: [path, ...rest], gaps }));
  });
}

/** Stands for the rest of a name, so that a slash before it is kept. */
const MARK = '_';

/** How a path begins, in absolute form and behind links. */
function beginningsOf(text: string, pathContext: PathContext, from?: string): readonly string[] {
  const { paths } = placesOf(`${text}${MARK}`, from === undefined ? pathContext : { ...pathContext, from });
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
export function namesProtected(line: string, guarded: Protected, pathContext: PathContext): boolean {
  const { home } = pathContext;
  const below = guarded.folders
    .concat(guarded.files)
    .map((path) => (isWithin(home, path) ? path.slice(home.length) : path));
  const names = [...below, ...guarded.endings.map((ending) => `/${ending}`)].map(
    (name) => `${name.toLowerCase()}/`,
  );
  return unreadWords(line).some((word) => {
    const [first = '', ...rest] = word.pieces;
    if (rest.length > 0) {
      const beginnings = first === '' ? [''] : beginningsOf(first, pathContext);
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

/** How much of a protected name has to be written out for a word to count as one that may mean it, in characters. */
const EVIDENCE = 2;

/**
 * Whether a word that is known in part may name a path, something in it or the folder above it: `~/.config/p*r/x` may
 * be in `~/.config/proffer`. Something of the path's last two names has to be written out, and more than the ending
 * of a file; otherwise `*.json` would do.
 */
function mayReach(word: Pick<ShellWord, 'pieces' | 'gaps'>, path: string): boolean {
  const { pieces, gaps } = withoutEmpty(word);
  const name = path.toLowerCase();
  const written = evidenceIn(name);
  // For each place in the name that the word may have come to: the most that is written out on the way.
  let reached = new Map<number, number>([[0, 0]]);
  for (const [index, piece] of pieces.entries()) {
    const text = piece.toLowerCase();
    const next = new Map<number, number>();
    for (const [from, before] of reached)
      for (const at of startsAfter(name, from, gaps[index - 1])) {
        const rest = name.slice(at);
        const isBeyond = text.startsWith(`${rest}/`);
        if (!isBeyond && !rest.startsWith(text)) continue;
        const end = isBeyond ? name.length : at + text.length;
        const total = before + written(at, end);
        if (isBeyond && total >= EVIDENCE) return true;
        if (!isBeyond) next.set(end, Math.max(next.get(end) ?? 0, total));
      }
    // Every piece between gaps takes a part of the name, so a long word ends here.
    if (next.size === 0) return false;
    reached = next;
  }
  const isOpen = gaps.length > 0 && pieces.at(-1) === '';
  return [...reached].some(([at, total]) => total >= EVIDENCE && (isOpen || at === name.length));
}

/** A word with one gap in place of several that have nothing between them: `$a$b` is as open as `$a`. */
function withoutEmpty({
  pieces,
  gaps,
}: Pick<ShellWord, 'pieces' | 'gaps'>): Pick<ShellWord, 'pieces' | 'gaps'> {
  const word: { readonly pieces: string[]; readonly gaps: Gap[] } = { pieces: [pieces[0] ?? ''], gaps: [] };
  for (const [index, gap] of gaps.entries()) {
    const isAfterGap = word.gaps.length > 0 && word.pieces.at(-1) === '';
    if (!isAfterGap) word.gaps.push(gap);
    else if (gap === 'text') word.gaps[word.gaps.length - 1] = gap;
    if (isAfterGap) word.pieces.pop();
    word.pieces.push(pieces[index + 1] ?? '');
  }
  return word;
}

/** Where the next text may begin, after something unknown. */
function startsAfter(name: string, from: number, gap: Gap | undefined): readonly number[] {
  if (gap === undefined) return [from];
  const slash = name.indexOf('/', from);
  const last = gap === 'text' || slash === -1 ? name.length : slash;
  return Array.from({ length: last - from + 1 }, (_, index) => from + index);
}

/** Counts what is written out of the last two names, without the ending of a file. */
function evidenceIn(name: string): (from: number, to: number) => number {
  const last = name.lastIndexOf('/');
  const start = name.lastIndexOf('/', last - 1) + 1;
  const ending = name.lastIndexOf('.');
  const end = ending > last + 1 ? ending : name.length;
  return (from, to) => Math.max(0, Math.min(to, end) - Math.max(from, start));
}
