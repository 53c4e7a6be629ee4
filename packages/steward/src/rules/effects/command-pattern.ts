import { compileGlob, foldName, type Glob, matchGlob } from '@proffer/core/capability';
import type { Verdict } from '../conditions/condition.js';
import type { CommandFacts } from './command-facts.js';

/** A pattern over the words of a command: `*` is any text within a word, `**` any number of words. */
export interface CommandPattern {
  readonly text: string;
  readonly words: readonly WordPattern[];
}

/** `rest`: any number of words. */
type WordPattern = 'rest' | { readonly text: string; readonly glob: Glob; readonly folded: Glob };

/** Longer commands are not compared word by word. */
const MAX_WORDS = 2_000;

/** Reads a pattern such as `git log **`. */
export function compileCommand(text: string): CommandPattern {
  const words = text
    .trim()
    .split(/\s+/)
    .map((word): WordPattern => {
      if (word === '**') return 'rest';
      return { text: word, glob: compileGlob(word, ''), folded: compileGlob(foldName(word), '') };
    });
  return { text, words };
}

/**
 * Whether a command matches a pattern. In doubt: words known only at run time, a program given by its
 * path or in different case, and words beyond a final `*`: whoever writes `rm *` means all of them.
 */
export function judgeCommand(
  { words: pattern }: CommandPattern,
  { words, isAltered }: CommandFacts,
): Verdict {
  if (words.length > MAX_WORDS) return 'doubt';
  // From the last word of the pattern to the first; `after[at]` is the verdict for the words from
  // there on.
  let after: Verdict[] = Array.from({ length: words.length + 1 }, (_, at) =>
    at === words.length ? 'yes' : 'no',
  );
  for (let at = words.length - 1; at >= 0 && words[at] === null; at--) after[at] = 'doubt';
  for (let index = pattern.length - 1; index >= 0; index--) {
    const wanted = pattern[index] as WordPattern;
    const isLast = index === pattern.length - 1;
    const next = Array.from({ length: words.length + 1 }, (): Verdict => 'no');
    if (wanted === 'rest') next[words.length] = after[words.length] as Verdict;
    for (let at = words.length - 1; at >= 0; at--) {
      const word = words[at] as string | null;
      const here = after[at] as Verdict;
      const one = after[at + 1] as Verdict;
      const more = next[at + 1] as Verdict;
      if (wanted === 'rest') next[at] = better(here, word === null ? worse(more, 'doubt') : more);
      else if (word === null) next[at] = worse(better(better(here, one), more), 'doubt');
      else {
        const verdict = judgeWord(wanted, word, at === 0);
        const hasMore = isLast && wanted.text === '*' && at + 1 < words.length;
        next[at] = worse(verdict, hasMore ? better(one, 'doubt') : one);
      }
    }
    after = next;
  }
  const verdict = after[0] as Verdict;
  return isAltered === true ? worse(verdict, 'doubt') : verdict;
}

function judgeWord(
  { glob, folded, text }: Exclude<WordPattern, 'rest'>,
  word: string,
  isProgram: boolean,
): Verdict {
  if (matchGlob(glob, word)) return 'yes';
  if (matchGlob(folded, foldName(word))) return 'doubt';
  if (!isProgram || text.includes('/')) return 'no';
  // A program given by its path may be a different one of that name.
  const name = word.split(/[/\\]/).at(-1) ?? '';
  return name !== word && matchGlob(folded, foldName(name)) ? 'doubt' : 'no';
}

const RANK: Readonly<Record<Verdict, number>> = { no: 0, doubt: 1, yes: 2 };

function better(one: Verdict, other: Verdict): Verdict {
  return RANK[one] >= RANK[other] ? one : other;
}

function worse(one: Verdict, other: Verdict): Verdict {
  return RANK[one] <= RANK[other] ? one : other;
}
