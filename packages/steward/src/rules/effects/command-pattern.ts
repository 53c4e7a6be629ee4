import { compileGlob, foldName, type Glob, matchGlob } from '@proffer/core/capability';
import type { ConditionResult } from '../conditions/condition.js';
import type { CommandFacts, VariableFacts } from './command-condition.js';

/**
 * A pattern over the words of a command: `*` is any text within a word, `**` any number of words. Before
 * them may be the variables that are set for it: `CI=* npm test`.
 */
export interface CommandPattern {
  readonly text: string;
  readonly variables: readonly VariablePattern[];
  readonly words: readonly WordPattern[];
}

interface VariablePattern {
  readonly name: string;
  readonly value: TextPattern;
}

interface TextPattern {
  readonly text: string;
  readonly glob: Glob;
  readonly folded: Glob;
}

/** `rest`: any number of words. */
type WordPattern = 'rest' | TextPattern;

/** Longer commands are not compared word by word. */
const MAX_WORDS = 2_000;

/** Reads a pattern such as `git log **`. */
export function compileCommand(text: string): CommandPattern {
  const all = text.trim().split(/\s+/);
  const first = all.findIndex((word) => !VARIABLE.test(word));
  const start = first === -1 ? all.length : first;
  return {
    text,
    variables: all.slice(0, start).map((word) => {
      const [, name = '', value = ''] = VARIABLE.exec(word) ?? [];
      return { name, value: compileText(value) };
    }),
    words: all.slice(start).map((word) => (word === '**' ? 'rest' : compileText(word))),
  };
}

const VARIABLE = /^([A-Za-z_]\w*)=(.*)$/;

function compileText(text: string): TextPattern {
  return { text, glob: compileGlob(text, ''), folded: compileGlob(foldName(text), '') };
}

/**
 * Whether a command matches a pattern. In doubt: words known only at run time, except for `**`, which
 * they match whatever they are; variables that the pattern does not name; a program given by its path or
 * in different case; and words beyond a final `*`: whoever writes `rm *` means all of them.
 */
export function judgeCommand(
  { words: pattern, variables: named }: CommandPattern,
  { words, variables = [] }: CommandFacts,
): ConditionResult {
  const verdict = judgeVariables(named, variables);
  return verdict === 'no' ? verdict : worse(verdict, judgeWords(pattern, words));
}

function judgeVariables(named: readonly VariablePattern[], set: readonly VariableFacts[]): ConditionResult {
  if (named.some(({ name }) => !set.some((one) => one.name === name))) return 'no';
  return set
    .map(({ name, value }): ConditionResult => {
      const pattern = named.find((one) => one.name === name)?.value;
      if (pattern === undefined) return 'doubt';
      if (value === null) return pattern.text === '*' ? 'yes' : 'doubt';
      return judgeText(pattern, value);
    })
    .reduce(worse, 'yes');
}

function judgeWords(pattern: readonly WordPattern[], words: CommandFacts['words']): ConditionResult {
  if (words.length > MAX_WORDS) return 'doubt';
  // From the last word of the pattern to the first; `after[at]` is the verdict for the words from
  // there on.
  let after: ConditionResult[] = Array.from({ length: words.length + 1 }, (_, at) =>
    at === words.length ? 'yes' : 'no',
  );
  for (let at = words.length - 1; at >= 0 && words[at] === null; at--) after[at] = 'doubt';
  for (let index = pattern.length - 1; index >= 0; index--) {
    const wanted = pattern[index] as WordPattern;
    const isLast = index === pattern.length - 1;
    const next = Array.from({ length: words.length + 1 }, (): ConditionResult => 'no');
    if (wanted === 'rest') next[words.length] = after[words.length] as ConditionResult;
    for (let at = words.length - 1; at >= 0; at--) {
      const word = words[at] as string | null;
      const here = after[at] as ConditionResult;
      const one = after[at + 1] as ConditionResult;
      const more = next[at + 1] as ConditionResult;
      if (wanted === 'rest') next[at] = better(here, more);
      else if (word === null) next[at] = worse(better(better(here, one), more), 'doubt');
      else {
        const verdict = judgeWord(wanted, word, at === 0);
        const hasMore = isLast && wanted.text === '*' && at + 1 < words.length;
        next[at] = worse(verdict, hasMore ? better(one, 'doubt') : one);
      }
    }
    after = next;
  }
  return after[0] as ConditionResult;
}

function judgeText({ glob, folded }: TextPattern, text: string): ConditionResult {
  if (matchGlob(glob, text)) return 'yes';
  return matchGlob(folded, foldName(text)) ? 'doubt' : 'no';
}

function judgeWord(pattern: TextPattern, word: string, isProgram: boolean): ConditionResult {
  const verdict = judgeText(pattern, word);
  if (verdict !== 'no' || !isProgram || pattern.text.includes('/')) return verdict;
  // A program given by its path may be a different one of that name.
  const name = word.split(/[/\\]/).at(-1) ?? '';
  return name !== word && matchGlob(pattern.folded, foldName(name)) ? 'doubt' : 'no';
}

const RANK: Readonly<Record<ConditionResult, number>> = { no: 0, doubt: 1, yes: 2 };

function better(one: ConditionResult, other: ConditionResult): ConditionResult {
  return RANK[one] >= RANK[other] ? one : other;
}

function worse(one: ConditionResult, other: ConditionResult): ConditionResult {
  return RANK[one] <= RANK[other] ? one : other;
}
