import { joinPlaces, type Places, placesOf, type Surroundings } from '@proffer/steward/disk';
import { beginningOf, type ShellCommand, type ShellWord } from '../shell/index.js';

/** Programs whose words name hosts, with or without a scheme. */
const NETWORK = new Set(
  'curl wget http https xh nc ncat netcat telnet ssh scp sftp rsync ftp git ping dig'.split(' '),
);

const URL_LIKE = /^[a-z][a-z0-9+.-]*:\/\//i;

/** Stands for a folder that is not known. */
const ELSEWHERE = '…';

const UNKNOWN: Places = { paths: [[]], unclear: [] };

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
): Places {
  const [program, ...args] = words;
  const own = program?.value?.includes('/') === true ? [program] : [];
  const places = [...own, ...args].flatMap((word): readonly Places[] => {
    if (word.value === null) return [UNKNOWN];
    const text = pathIn(word.value);
    if (text === undefined) return [];
    if (/^[/~]/.test(text)) return [placesOf(text, surroundings)];
    const here = folders?.map((from) => placesOf(text, { ...surroundings, from })) ?? [UNKNOWN];
    return isAdrift ? here.concat({ paths: [[`${ELSEWHERE}/${text}`]], unclear: [] }) : here;
  });
  return joinPlaces(places);
}

/** The path in a word: all of it, or an option's value. */
export function pathIn(word: string): string | undefined {
  if (word === '' || URL_LIKE.test(word)) return word.startsWith('file://') ? word : undefined;
  if (!word.startsWith('-')) return word;
  const value = /^--?[\w-]*=(.+)$/.exec(word)?.[1] ?? /^-\w([/~.].*)$/.exec(word)?.[1];
  return value === undefined || URL_LIKE.test(value) ? undefined : value;
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
