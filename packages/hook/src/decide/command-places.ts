import type { PathNames } from '@proffer/steward';
import { joinPlaces, type Places, placesOf, type Surroundings } from '@proffer/steward/disk';
import { beginningOf, type ShellCommand, type ShellWord } from '../shell/index.js';
import { MAX_PATHS, pathsInWord } from './word-paths.js';

/** Programs whose words name hosts, with or without a scheme. */
const NETWORK = new Set(
  'curl wget http https xh nc ncat netcat telnet ssh scp sftp rsync ftp git ping dig'.split(' '),
);

const URL_LIKE = /^[a-z][a-z0-9+.-]*:\/\//i;

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
  surroundings: Surroundings,
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

/** The hosts that a command may talk to; `null` for an unknown one. */
export function hostsOf({ words }: ShellCommand): readonly (string | null)[] {
  const program = words[0]?.value?.split('/').at(-1) ?? '';
  const isNetwork = NETWORK.has(program);
  return words.slice(1).flatMap((word) => hostsInWord(word, isNetwork));
}

function hostsInWord(word: ShellWord, isNetwork: boolean): readonly (string | null)[] {
  const { value } = word;
  if (value === null) return isNetwork || URL_LIKE.test(beginningOf(word)) ? [null] : [];
  const url = /[a-z][a-z0-9+.-]*:\/\/\S+/i.exec(value)?.[0];
  if (url !== undefined) return [hostOf(url)];
  if (!isNetwork || value.startsWith('-')) return [];
  const named = /^(?:[\w.-]+@)?([\w-]+(?:\.[\w-]+)+|localhost)(?::|\/|$)/.exec(value)?.[1];
  return named === undefined ? [] : [named];
}

/** The host of a URL; `null` if it is none. */
export function hostOf(url: string): string | null {
  const host = URL.canParse(url) ? new URL(url).hostname : '';
  return host === '' ? null : host;
}
