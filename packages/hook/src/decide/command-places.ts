import { joinPlaces, type PathContext, type Places, placesOf } from '@proffer/steward/disk';
import type { PathNames } from '@proffer/steward/guard';
import type { ShellCommand } from '../shell/index.js';

/** Stands for a folder that is not known. */
const ELSEWHERE = '…';

const UNKNOWN: Places = { paths: [[]], unclear: [] };

/** The files that a command may touch. */
export interface CommandPlaces extends Places {
  /** Places of texts in it that a program may take for paths; they count only against it. */
  readonly hints: readonly PathNames[];
}

/**
 * The files that a command may touch: each of its words that could be one.
 *
 * @param isAdrift - whether it may run in a folder that is not known. A relative path is then also a place that only
 * patterns for any folder match, so that no rule about this one allows it
 */
export function pathsOf(
  { words, folders }: ShellCommand,
  pathContext: PathContext,
  isAdrift = false,
): CommandPlaces {
  const [program, ...args] = words;
  const own = program?.value?.includes('/') === true ? [program] : [];
  const located = (text: string): readonly Places[] => {
    if (/^[/~]/.test(text)) return [placesOf(text, pathContext)];
    const here = folders?.map((from) => placesOf(text, { ...pathContext, from })) ?? [UNKNOWN];
    return isAdrift ? here.concat({ paths: [[`${ELSEWHERE}/${text}`]], unclear: [] }) : here;
  };
  const found = [...own, ...args].map(({ value }) => {
    if (value === null) return { places: [UNKNOWN], hints: [] };
    const { paths, hints } = pathsInWord(value);
    if (paths.length + hints.length > MAX_PATHS) return { places: [UNKNOWN], hints: [] };
    return { places: paths.flatMap(located), hints: hints.flatMap(located) };
  });
  return {
    ...joinPlaces(found.flatMap(({ places }) => places)),
    hints: joinPlaces(found.flatMap(({ hints }) => hints)).paths,
  };
}

/** The paths that may be in a word of a command. */
interface WordPaths {
  /** The whole word, and what follows or precedes `=`, `:`, `,` or `@` in it: `if=a`, `HEAD:a`, `--file=a`, `-C/a`. */
  readonly paths: readonly string[];
  /** Texts in it that a program may take for a path: in `open('a.txt')`, or in `-fa`. */
  readonly hints: readonly string[];
}

const URL_LIKE = /^[a-z][a-z0-9+.-]*:\/\//i;

/** How many paths of one word are looked at. With more, which ones it names is not known. */
const MAX_PATHS = 64;

function pathsInWord(word: string): WordPaths {
  if (word === '') return { paths: [], hints: [] };
  if (URL_LIKE.test(word)) return { paths: /^file:/i.test(word) ? [word] : [], hints: [] };
  const { paths, hints } = word.startsWith('-') ? inOption(word) : { paths: [word], hints: [] };
  const all = new Set(paths.concat(paths.flatMap(partsOf)).filter(isPath));
  const texts = new Set([...hints, ...textsIn(word)].filter((text) => isPath(text) && !all.has(text)));
  return { paths: [...all], hints: [...texts] };
}

/** `--file=a` and `-C/a` have a path in them; `-fa` may. */
function inOption(word: string): WordPaths {
  const [, value] = /^--?[\w-]*=(.*)$/s.exec(word) ?? [];
  if (value !== undefined) return { paths: [value], hints: [] };
  if (word.startsWith('--')) return { paths: [], hints: [] };
  const rest = word.slice(2);
  const [rooted] = /[.~/].*$/s.exec(rest) ?? [];
  return { paths: [rooted ?? '', rest.includes('/') ? rest : ''], hints: [rest] };
}

/** What is between separators, and everything after each; after the first only in a text of several words. */
function partsOf(path: string): readonly string[] {
  const ends = [...path.matchAll(/[=:,;@]/g)].map(({ index }) => path.slice(index + 1));
  if (/\s/.test(path)) return ends.slice(0, 1);
  return ends.length === 0 ? [] : [...path.split(/[=:,;@]/), ...ends];
}

/** Texts that look like paths, in something that is more than a path. */
function textsIn(word: string): readonly string[] {
  if (!/[\s'"()`{}<>|&$[\]]/.test(word)) return [];
  return word.split(/[\s'"()`{}<>|&$[\],;=:@]+/).filter((text) => /[./~]/.test(text));
}

function isPath(text: string): boolean {
  return text !== '' && !text.startsWith('-') && (!URL_LIKE.test(text) || /^file:/i.test(text));
}
