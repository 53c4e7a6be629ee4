import { compileGlob, foldName, type Glob, isDisguised, matchGlob } from '@proffer/core/capability';
import {
  describe,
  formatPath,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '@proffer/core/json';
import {
  listed,
  type Path,
  type Report,
  readOneOrMore,
  type Tree,
  type ValueReader,
  wanted,
} from '@proffer/reading';
import type { CallFacts } from '../call-facts.js';
import type { Condition, ConditionResult, JudgedCall } from '../conditions/condition.js';
import type { RuleAction } from '../rule-set.js';
import { allOf, anyOf, readValue, type ValueTest } from '../values/index.js';
import type { PathNames } from './command-condition.js';
import { namesAll, runLaterAt } from './run-later.js';

const LONGEST = 1_024;
const MAX_STARS = 16;

/**
 * A pattern of paths: absolute, below the home folder (`~/…`) or below the agent's working folder
 * (`./…`). `*` stays within a folder, `**` crosses folders. In doubt: different case, a folder itself
 * where its content is meant, and its parent folders.
 */
const readPathPattern: ValueReader<ValueTest> = (tree, path, report) => {
  const text = tree.kind === 'scalar' && typeof tree.value === 'string' ? tree.value : '';
  if (text === '') return wanted(tree, path, report, 'a path, or a pattern such as ./src/**');
  if (text.length > LONGEST || text.split('*').length - 1 > MAX_STARS)
    return wanted(tree, path, report, `at most ${LONGEST} characters and ${MAX_STARS} stars`);
  if (!/^(?:\/|~\/|\.\/|\*\*|[A-Za-z]:[\\/])/.test(text)) {
    const message = `${describe(text)} has no starting point: write /… for the whole machine, ~/… for the home folder, ./… for the folder that the agent works in, or **/… for anywhere.`;
    report(tree.at, formatPath(path), message, text.startsWith('*') ? `**/${text}` : `./${text}`);
    return undefined;
  }
  const glob = compileGlob(text, '/\\');
  const folded = compileGlob(foldName(text), '/\\');
  const beginning = foldName(text.split('*')[0] ?? '');
  return {
    expected: text,
    judge: (name) => (typeof name === 'string' ? judgePath(name, { glob, folded, beginning }) : 'no'),
  };
};

function judgePath(
  name: string,
  { glob, folded, beginning }: { readonly glob: Glob; readonly folded: Glob; readonly beginning: string },
): ConditionResult {
  if (matchGlob(glob, name)) return 'yes';
  const same = foldName(name);
  const below = same.endsWith('/') ? same : `${same}/`;
  if (matchGlob(folded, same) || matchGlob(folded, below)) return 'doubt';
  return beginning.startsWith(below) ? 'doubt' : 'no';
}

/** Whether one of a file's names passes one of the tests. */
function judgeNames(tests: readonly ValueTest[], names: readonly string[]): ConditionResult {
  if (names.length === 0) return 'doubt';
  return anyOf(tests, (test) => anyOf(names, (name) => test.judge(name)));
}

/** The patterns that may allow changing a file: those that name it, if it is one that runs later. */
function thatMayAllow(tests: readonly ValueTest[], names: readonly string[]): readonly ValueTest[] {
  const found = runLaterAt(names);
  return found.length === 0 ? tests : tests.filter(({ expected }) => namesAll(expected, found));
}

/** A pattern of hosts. One with a scheme, a port or another spelling would never match, so it is an error. */
const readHostPattern: ValueReader<ValueTest> = (tree, path, report) => {
  const isKnown = reportOddHosts(tree, path, report);
  return isKnown ? readValue(tree, path, report) : undefined;
};

function reportOddHosts(tree: Tree, path: Path, report: Report): boolean {
  if (tree.kind === 'list')
    return tree.items.map((item, index) => reportOddHosts(item, [...path, index], report)).every(Boolean);
  if (tree.kind === 'map')
    return [...tree.entries]
      .filter(([operator]) => /^(?:not|anyOf|equals)$/.test(operator))
      .map(([operator, { value }]) => reportOddHosts(value, [...path, operator], report))
      .every(Boolean);
  const meant = typeof tree.value === 'string' ? hostMeantBy(tree.value) : undefined;
  if (meant === undefined) return true;
  wanted(tree, path, report, 'the name of a host, without a scheme, a port or a path', meant);
  return false;
}

interface Kind {
  readonly read: ValueReader<ValueTest>;
  /** The names of each place; empty if unknown. */
  readonly of: (call: JudgedCall) => readonly (readonly string[])[];
}

const KINDS: Readonly<Record<'path' | 'host', Kind>> = {
  path: {
    read: readPathPattern,
    of: ({ paths, arguments: given, locate }) => paths ?? pathsIn(given, locate),
  },
  host: {
    read: readHostPattern,
    of: ({ hosts, arguments: given }) =>
      hosts?.map((host) => (host === null ? [] : [host])) ?? hostsIn(given),
  },
};

/**
 * `path` and `host`: the files a call touches, the hosts it talks to. A rule that allows needs all of
 * them to match, one that asks or denies at least one. Neither holds for a call without any. A wildcard that allows does
 * not stand for files that run later, unless the call only reads them.
 */
export function readPlaces(about: 'path' | 'host', action: RuleAction): ValueReader<Condition> {
  const kind = KINDS[about];
  return (tree, path, report) => {
    const tests = readOneOrMore(kind.read, 'patterns')(tree, path, report);
    if (tests === undefined) return undefined;
    return {
      about,
      expected: tests.map(({ expected }) => expected).join(' or '),
      judge: (call) => {
        const places = kind.of(call);
        if (places.length === 0) return 'no';
        if (action !== 'allow') return anyOf(places, (names) => judgeNames(tests, names));
        const isChange = about === 'path' && !call.hints.readOnlyHint;
        return allOf(places, (names) => judgeNames(isChange ? thatMayAllow(tests, names) : tests, names));
      },
      found: (call) => {
        const shown = kind
          .of(call)
          .map(([name]) => (name === undefined ? 'something unknown' : describe(name)));
        return shown.length === 0 ? 'none' : listed(shown.slice(0, MAX_SHOWN));
      },
    };
  };
}

const MAX_SHOWN = 5;

/** The paths in an unparsed call's arguments: every text that looks like one, or whose name says that it is one. */
function pathsIn(
  given: JsonObject,
  locate: NonNullable<CallFacts['locate']> = (path) => [[path]],
): readonly PathNames[] {
  return textsIn(given).flatMap(({ text, name }) => {
    if (/^(?:\/|~\/|[A-Za-z]:[\\/])/.test(text)) return isPlain(text) ? locate(text) : [[]];
    // A relative path depends on an unknown folder, and a URL has many spellings.
    if (LOOKS_RELATIVE.test(text)) return [[]];
    if (!isPathName(name) || text === '' || text.includes('\n') || isUrlLike(text)) return [];
    return [isPlain(text) && text.trim() === text ? [`${ELSEWHERE}/${text}`] : []];
  });
}

const LOOKS_RELATIVE = /^\s*file:|^\.{1,2}(?:[\\/]|$)|^[^\s:]+[\\/][^\s]*$|^[^\n]*[\\/]\.\.(?:[\\/]|$)/i;

/** Stands for a folder that is not known: only patterns for any folder match. */
const ELSEWHERE = '…';

const PATH_NAMES: ReadonlySet<string> = new Set(
  [
    'path paths file files filename filenames filepath filepaths dir dirs directory directories folder folders',
    'uri uris source sources destination destinations dest src dst target targets from to',
  ].flatMap((line) => line.split(' ')),
);

/** Whether an argument of this name is a path, going by its last word: `target_file`, `outputPath`. */
function isPathName(name: string): boolean {
  const words = name.replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
  return PATH_NAMES.has(words.split(/[^a-z0-9]+/).at(-1) ?? '');
}

/** The hosts in an unparsed call's arguments: those of the URLs. */
function hostsIn(given: JsonObject): readonly (readonly string[])[] {
  return textsIn(given)
    .filter(({ text }) => isUrlLike(text))
    .map(({ text }) => {
      const host = hostInUrl(text);
      return host === undefined ? [] : [host];
    });
}

interface NamedText {
  readonly text: string;
  /** The name of the argument that it is in. */
  readonly name: string;
}

function textsIn(value: JsonValue | undefined, name = ''): readonly NamedText[] {
  if (typeof value === 'string') return [{ text: value, name }];
  if (isJsonArray(value)) return value.flatMap((item) => textsIn(item, name));
  return isJsonObject(value) ? Object.entries(value).flatMap(([key, item]) => textsIn(item, key)) : [];
}

/** Whether a path leads exactly where it says. */
function isPlain(path: string): boolean {
  return !isDisguised(path) && !/[\\/](?:\.{0,2})(?:[\\/]|$)/.test(path.replace(/[\\/]$/, ''));
}

/** A URL, as tolerantly as programs read one: with spaces around it, or with fewer slashes. */
const URL_LIKE = /^\s*(?:[a-z][a-z0-9+.-]*:[\\/]{2}|(?:https?|wss?|ftp):)/i;

/** Whether a text is a URL, or may be taken for one. */
function isUrlLike(text: string): boolean {
  return URL_LIKE.test(text);
}

/** The host of a URL as rules compare it: in ASCII, without a dot at its end; `undefined` if it has none. */
export function hostInUrl(url: string): string | undefined {
  const host = URL.canParse(url) ? new URL(url).hostname.replace(/\.+$/, '') : '';
  return host === '' ? undefined : host;
}

const PATTERN = /^(?:\[[0-9a-f:.*]+\]|[a-z0-9*_-]+(?:\.[a-z0-9*_-]+)*)$/i;

/** What to write instead of a pattern that no host matches; `undefined` for one that some host may match. */
function hostMeantBy(pattern: string): string | undefined {
  const host = hostInUrl(isUrlLike(pattern) ? pattern : `http://${pattern}`);
  const isLiteral = PATTERN.test(pattern) && (pattern.includes('*') || host === pattern.toLowerCase());
  return isLiteral ? undefined : (host ?? '*.example.com');
}
