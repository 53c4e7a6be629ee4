import { compileGlob, foldName, type Glob, matchGlob } from '@proffer/core/capability';
import { describe, formatPath } from '@proffer/core/json';
import { oddText, readOneOrMore, type ValueReader, wanted } from '@proffer/reading';
import { opposite } from '../values/index.js';
import type { Condition, ConditionResult, JudgedCall } from './condition.js';

/** A name, or a pattern of names in which `*` matches any text. */
interface NamePattern {
  readonly text: string;
  /** Absent for a name without an asterisk. */
  readonly glob?: Glob;
}

/** One of several names and patterns, or none of them. */
export interface Names {
  readonly patterns: readonly NamePattern[];
  readonly isNegated: boolean;
}

/** The named things that rules can match. */
export type Named = 'participant' | 'client' | 'user' | 'server' | 'tool';

const LONGEST = 1024;
const MAX_STARS = 16;

const readPattern: ValueReader<NamePattern> = (tree, path, report) => {
  const text = tree.kind === 'scalar' && typeof tree.value === 'string' ? tree.value : '';
  const stars = text.split('*').length - 1;
  if (text === '') return wanted(tree, path, report, 'a name, or a pattern such as read_*');
  if (text.includes('**'))
    return wanted(tree, path, report, 'single asterisks; in a name, * stands for any text');
  if (text.length > LONGEST || stars > MAX_STARS) {
    return wanted(tree, path, report, `at most ${LONGEST} characters and ${MAX_STARS} stars`);
  }
  const odd = oddText(text)?.looksLike ?? (text.includes('|') ? 'a choice' : undefined);
  if (odd !== undefined) {
    const message = `${describe(text)} looks like ${odd}; names are matched literally, and * matches any text. Write several names as a list; { not: NAME } matches every other name.`;
    report(tree.at, formatPath(path), message);
    return undefined;
  }
  return stars === 0 ? { text } : { text, glob: compileGlob(text, '') };
};

const readPatterns: ValueReader<readonly NamePattern[]> = readOneOrMore(readPattern, 'names');

/** A name or pattern, a list of them, or `{ not: … }` for all others. */
export const readNames: ValueReader<Names> = (tree, path, report) => {
  if (tree.kind !== 'map') {
    const patterns = readPatterns(tree, path, report);
    return patterns === undefined ? undefined : { patterns, isNegated: false };
  }
  const negated = tree.entries.get('not');
  if (negated === undefined || tree.entries.size > 1) {
    return wanted(tree, path, report, 'a name, a pattern, a list of them, or { not: … }');
  }
  const patterns = readPatterns(negated.value, [...path, 'not'], report);
  return patterns === undefined ? undefined : { patterns, isNegated: true };
};

/**
 * Holds if one of the call's names is listed, for a tool also with its server in front; in doubt if
 * the call has no such name, or if one only looks different: the executor decides what a tool is
 * called.
 */
export function nameCondition(about: Named, names: Names): Condition {
  const judge = nameJudge(names, about !== 'participant' && about !== 'server');
  return {
    about,
    expected: describeNames(names),
    judge: (call) => judge(namesOf(call, about)),
    found: (call) => describe(call[about]),
  };
}

/**
 * Whether one of several names for the same thing is wanted; in doubt if there is none.
 *
 * @param folds - whether a name that only looks different is in doubt
 */
export function nameJudge(
  { patterns, isNegated }: Names,
  folds: boolean,
): (names: readonly string[]) => ConditionResult {
  const literal = new Set(patterns.flatMap(({ text, glob }) => (glob === undefined ? [text] : [])));
  const globs = patterns.flatMap(({ glob }) => (glob === undefined ? [] : [glob]));
  const follows = followsAny(literal, globs);
  const folded = patterns.map(({ text }) => foldName(text));
  const foldedGlobs = folded.filter((text) => text.includes('*')).map((text) => compileGlob(text, ''));
  const looksLikeIt = folds ? followsAny(new Set(folded), foldedGlobs) : () => false;
  const judge = (names: readonly string[]): ConditionResult => {
    if (names.length === 0) return 'doubt';
    if (names.some(follows)) return 'yes';
    return names.some((name) => looksLikeIt(foldName(name))) ? 'doubt' : 'no';
  };
  return isNegated ? (names) => opposite(judge(names)) : judge;
}

/** Names for people. */
export function describeNames({ patterns, isNegated }: Names): string {
  const texts = patterns.map(({ text }) => text).join(' or ');
  return isNegated ? `not ${texts}` : texts;
}

function namesOf(call: JudgedCall, about: Named): readonly string[] {
  if (about === 'tool') return toolNames(call);
  const name = call[about];
  if (name === undefined) return [];
  return about === 'participant' && call.alias !== undefined ? [name, call.alias] : [name];
}

/** What a tool is called: by its server, and, with the server in front, in the inbox. */
export function toolNames({ server, tool }: Pick<JudgedCall, 'server' | 'tool'>): readonly string[] {
  return server === undefined ? [tool] : [tool, `${server}/${tool}`];
}

function followsAny(names: ReadonlySet<string>, globs: readonly Glob[]): (name: string) => boolean {
  return (name) => names.has(name) || globs.some((glob) => matchGlob(glob, name));
}

/** The names, if nothing else is wanted and none of them contains an asterisk. */
export function literalNames(names: Names | undefined): readonly string[] | undefined {
  if (names === undefined || names.isNegated) return undefined;
  if (names.patterns.some(({ glob }) => glob !== undefined)) return undefined;
  return names.patterns.map(({ text }) => text);
}
