import { compileGlob, describe, type Glob, matchGlob } from '@proffer/core';
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

/** Holds when a name of the call follows one of the patterns; in doubt when the call has no such name. */
export function nameCondition(
  about: 'participant' | 'server' | 'tool',
  patterns: readonly NamePattern[],
): Condition {
  const literal = new Set(patterns.flatMap(({ text, glob }) => (glob === undefined ? [text] : [])));
  const globs = patterns.flatMap(({ glob }) => (glob === undefined ? [] : [glob]));
  return {
    about,
    expected: patterns.map(({ text }) => text).join(' or '),
    judge: (call) => {
      const name = call[about];
      if (name === undefined) return 'doubt';
      return literal.has(name) || globs.some((glob) => matchGlob(glob, name)) ? 'yes' : 'no';
    },
    found: (call: JudgedCall) => describe(call[about]),
  };
}

/** The names, if none of the patterns has a star. */
export function literalNames(patterns: readonly NamePattern[] | undefined): readonly string[] | undefined {
  if (patterns === undefined || patterns.some(({ glob }) => glob !== undefined)) return undefined;
  return patterns.map(({ text }) => text);
}
