import { compileGlob, describe, foldName, type Glob, matchGlob } from '@proffer/core';
import type { Condition, JudgedCall } from './condition.js';
import { type Reader, readSome, wanted } from './readers.js';

/** A name, or a pattern of names in which `*` is any text. */
export interface NamePattern {
  readonly text: string;
  /** Absent for a name without a star. */
  readonly glob?: Glob;
}

const LONGEST = 1024;
const MOST_STARS = 16;

const readPattern: Reader<NamePattern> = (tree, path, report) => {
  const text = tree.kind === 'scalar' && typeof tree.value === 'string' ? tree.value : '';
  const stars = text.split('*').length - 1;
  if (text === '') return wanted(tree, path, report, 'a name, or a pattern such as read_*');
  if (text.includes('**')) return wanted(tree, path, report, 'single stars; in a name * is any text');
  if (text.length > LONGEST || stars > MOST_STARS) {
    return wanted(tree, path, report, `at most ${LONGEST} characters and ${MOST_STARS} stars`);
  }
  return stars === 0 ? { text } : { text, glob: compileGlob(text, '') };
};

/** A name or pattern, or a list of them. */
export const readNames: Reader<readonly NamePattern[]> = readSome(readPattern, 'names');

/**
 * Holds when a name of the call follows one of the patterns, a tool's also with its server in front; in doubt
 * when the call has no such name, and when the tool's only looks different: a tool is what its server takes
 * the name for.
 */
export function nameCondition(
  about: 'participant' | 'server' | 'tool',
  patterns: readonly NamePattern[],
): Condition {
  const literal = new Set(patterns.flatMap(({ text, glob }) => (glob === undefined ? [text] : [])));
  const globs = patterns.flatMap(({ glob }) => (glob === undefined ? [] : [glob]));
  const follows = followsAny(literal, globs);
  const folded = patterns.map(({ text }) => foldName(text));
  const looksLikeIt =
    about === 'tool'
      ? followsAny(
          new Set(folded),
          folded.filter((text) => text.includes('*')).map((text) => compileGlob(text, '')),
        )
      : () => false;
  return {
    about,
    expected: patterns.map(({ text }) => text).join(' or '),
    judge: (call) => {
      const name = call[about];
      if (name === undefined) return 'doubt';
      const names = about === 'tool' ? toolNames(call) : [name];
      if (names.some(follows)) return 'yes';
      return names.some((one) => looksLikeIt(foldName(one))) ? 'doubt' : 'no';
    },
    found: (call: JudgedCall) => describe(call[about]),
  };
}

/** What a tool is called: by its server, and, with the server in front, by an inbox. */
export function toolNames({ server, tool }: Pick<JudgedCall, 'server' | 'tool'>): readonly string[] {
  return server === undefined ? [tool] : [tool, `${server}/${tool}`];
}

function followsAny(names: ReadonlySet<string>, globs: readonly Glob[]): (name: string) => boolean {
  return (name) => names.has(name) || globs.some((glob) => matchGlob(glob, name));
}

/** The names, if none of the patterns has a star. */
export function literalNames(patterns: readonly NamePattern[] | undefined): readonly string[] | undefined {
  if (patterns === undefined || patterns.some(({ glob }) => glob !== undefined)) return undefined;
  return patterns.map(({ text }) => text);
}
