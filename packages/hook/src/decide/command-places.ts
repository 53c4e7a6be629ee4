import { joinPlaces, type PathContext, type Places, placesOf } from '@proffer/steward/disk';
import type { PathNames } from '@proffer/steward/guard';
import type { ShellCommand } from '../shell/index.js';
import { MAX_PATHS, pathsInWord } from './word-paths.js';

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
  surroundings: PathContext,
  isAdrift = false,
): CommandPlaces {
  const [program, ...args] = words;
  const own = program?.value?.includes('/') === true ? [program] : [];
  const located = (text: string): readonly Places[] => {
    if (/^[/~]/.test(text)) return [placesOf(text, surroundings)];
    const here = folders?.map((from) => placesOf(text, { ...surroundings, from })) ?? [UNKNOWN];
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
