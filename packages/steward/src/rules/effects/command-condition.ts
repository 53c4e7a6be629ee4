import { describe, formatPath } from '@proffer/core/json';
import { readOneOrMore, type ValueReader, wanted } from '@proffer/reading';
import type { Condition } from '../conditions/condition.js';
import type { RuleAction } from '../rule-set.js';
import { anyOf, own } from '../values/index.js';
import { type CommandPattern, compileCommand, judgeCommand } from './command-pattern.js';

const LONGEST = 1_024;
const MAX_STARS = 16;

const readPattern: ValueReader<CommandPattern> = (tree, path, report) => {
  const text = tree.kind === 'scalar' && typeof tree.value === 'string' ? tree.value : '';
  if (text.trim() === '') return wanted(tree, path, report, 'a command, such as `git log **`');
  const stars = text.split('*').length - 1;
  if (text.length > LONGEST || stars > MAX_STARS)
    return wanted(tree, path, report, `at most ${LONGEST} characters and ${MAX_STARS} stars`);
  const operator = /(?:^|\s)(?:&&|\|\|?|;|&)(?:\s|$)|[;`]|\$\(|["']/.exec(text)?.[0]?.trim();
  if (operator === undefined) return compileCommand(text);
  const message = `${describe(text)} contains ${describe(operator)}. A rule covers one command: lines are split, and each command in them is checked separately. * is any text within a word, ** any number of words.`;
  report(tree.at, formatPath(path), message);
  return undefined;
};

/**
 * `command`: a command of a shell line matches one of these. Never holds for anything but shell
 * commands. A rule that asks or denies also looks at the other ways to write the command.
 */
export function readCommand(action: RuleAction): ValueReader<Condition> {
  return (tree, path, report) => {
    const patterns = readOneOrMore(readPattern, 'commands')(tree, path, report);
    if (patterns === undefined) return undefined;
    return {
      about: 'command',
      expected: patterns.map(({ text }) => text).join(' or '),
      judge: ({ command, arguments: given }) => {
        // The caller has not parsed it.
        if (command === undefined) return typeof own(given, 'command') === 'string' ? 'doubt' : 'no';
        const { words, otherWords = [], variables = [] } = command;
        const spellings = action === 'allow' ? [words] : [words, ...otherWords];
        return anyOf(spellings, (one) =>
          anyOf(patterns, (pattern) => judgeCommand(pattern, { words: one, variables })),
        );
      },
      matching: ({ command }) =>
        command === undefined
          ? []
          : patterns.filter((pattern) => judgeCommand(pattern, command) === 'yes').map(({ text }) => text),
      found: ({ command }) =>
        command === undefined
          ? 'no parsed command'
          : describe([...variablesOf(command), ...command.words.map((word) => word ?? '…')].join(' ')),
    };
  };
}

function variablesOf({ variables = [] }: CommandFacts): readonly string[] {
  return variables.map(({ name, value }) => `${name}=${value ?? '…'}`);
}

/** One command of a shell line, as far as it can be known before it runs. */
export interface CommandFacts {
  /**
   * The words of the command, the program first; none if only variables are set. `null` is a value known only at run
   * time: a variable, the output of another command, a glob. It may expand to any number of words.
   */
  readonly words: readonly (string | null)[];
  /** The command in other words, such as `git push --force` for `git -C x push -f`. They count only against it. */
  readonly otherWords?: readonly (readonly (string | null)[])[];
  /** Set for it, or before it. Only a rule that names them all allows the command. */
  readonly variables?: readonly VariableFacts[];
}

/** A variable that is set for a command; its value is `null` if it is known only at run time. */
export interface VariableFacts {
  readonly name: string;
  readonly value: string | null;
}

/**
 * One place that a path stands for, in every notation that rules may use: absolute, and where they apply `~/…` and
 * `./…`. A link and its target are two places. Empty if unknown.
 */
export type PathNames = readonly string[];
